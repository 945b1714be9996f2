// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.api;

import cupbear.scheduler.app.EventFeed;
import cupbear.scheduler.model.Caller;
import cupbear.scheduler.model.Entry;
import cupbear.scheduler.model.PoolName;
import cupbear.scheduler.model.Region;
import cupbear.scheduler.model.SessionId;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One reader of events. It reads the journal on from its own position whenever it is woken, one
 * page at a time and only while the wire takes more; so nothing piles up here, and a reader that
 * falls behind costs the others nothing. On the event loop of its connection.
 */
final class EventStream {
  private static final int PAGE = 200;
  private static final Duration HEARTBEAT = Duration.ofSeconds(15);

  /** The backstop for lost words. */
  private static final Duration LOOK_EVERY = Duration.ofSeconds(1);

  /** A wire that takes nothing for this long has nobody at its end. */
  private static final Duration STUCK_MOST = Duration.ofSeconds(20);

  private static final int SESSIONS_KNOWN = 4096;

  /**
   * What the reader wants, and may see.
   *
   * @param owner only the events of this one's sessions; null for all
   */
  record Wish(
      List<PoolName> pools, @Nullable Region region, Set<String> topics, @Nullable Caller owner) {
    boolean fits(Entry entry, String type, Map<SessionId, Boolean> known) {
      if (region != null && !region.equals(entry.region())) return false;
      if (!topics.isEmpty() && !topics.contains(Events.topic(type))) return false;
      if (owner == null) return true;
      SessionId session = entry.session();
      return session != null && known.getOrDefault(session, false);
    }
  }

  private final Vertx vertx;
  private final Exchange exchange;
  private final EventFeed feed;
  private final Wish wish;
  private final Positions positions;
  private final Runnable onWord;
  private final Runnable onDrain;
  private final Map<SessionId, Boolean> known =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<SessionId, Boolean> eldest) {
          return size() > SESSIONS_KNOWN;
        }
      };
  private @Nullable HttpServerResponse wire;
  private boolean reading;
  private boolean again;
  private boolean caughtUp;
  private boolean missed;
  private long stuckSince;
  private boolean stuck;

  EventStream(Vertx vertx, Exchange exchange, EventFeed feed, Wish wish, Positions positions) {
    this.vertx = vertx;
    this.exchange = exchange;
    this.feed = feed;
    this.wish = wish;
    this.positions = positions;
    this.onWord = () -> exchange.context().runOnContext(any -> read());
    this.onDrain = () -> exchange.context().runOnContext(any -> finish());
  }

  void start(boolean gap, InFlight inFlight) {
    exchange
        .begin(200)
        .ifPresent(response -> {
          wire = response;
          response.headers().set("Content-Type", "text/event-stream");
          response.setChunked(true);
          response.write("retry: 3000\n\n");
          if (gap) say("gap", "the journal does not reach back that far; read the lists again");
          long beat = vertx.setPeriodic(HEARTBEAT.toMillis(), any -> send(":\n\n"));
          long look = vertx.setPeriodic(LOOK_EVERY.toMillis(), any -> look());
          feed.join(onWord);
          inFlight.onDrain(onDrain);
          exchange.atEnd(() -> {
            feed.leave(onWord);
            inFlight.noLonger(onDrain);
            vertx.cancelTimer(beat);
            vertx.cancelTimer(look);
            wire = null;
          });
          read();
        });
  }

  private void look() {
    if (stuck && System.nanoTime() - stuckSince > STUCK_MOST.toNanos()) overrun();
    else read();
  }

  /** Reads on, unless it is at it, or the wire is full. */
  private void read() {
    HttpServerResponse response = wire;
    if (response == null) return;
    if (reading) {
      again = true;
      return;
    }
    if (response.writeQueueFull()) {
      if (!stuck) stuckSince = System.nanoTime();
      stuck = true;
      response.drainHandler(any -> {
        stuck = false;
        read();
      });
      return;
    }
    stuck = false;
    reading = true;
    again = false;
    missed = false;
    readPool(0, false);
  }

  private void readPool(int index, boolean more) {
    if (index == wish.pools().size()) {
      reading = false;
      if (!more && !missed && !caughtUp) {
        caughtUp = true;
        send(": now\n\n");
      }
      if (more || again) exchange.context().runOnContext(any -> read());
      return;
    }
    PoolName pool = wish.pools().get(index);
    Future<List<Entry>> page =
        feed.after(pool, positions.get(pool), PAGE)
            .compose(entries ->
                wish.owner() == null
                    ? Future.succeededFuture(entries)
                    : feed.learn(entries, wish.owner(), known).map(any -> entries));
    page.onComplete((entries, failure) ->
        exchange
            .context()
            .runOnContext(any -> {
              // A store that does not answer now will; the position is where it was.
              if (failure == null) show(pool, entries);
              else missed = true;
              readPool(index + 1, more || (failure == null && entries.size() == PAGE));
            }));
  }

  private void show(PoolName pool, List<Entry> entries) {
    for (Entry entry : entries) {
      positions.put(pool, entry.id());
      Events.type(entry)
          .filter(type -> wish.fits(entry, type, known))
          .ifPresent(type -> send(frame(type, Events.json(entry, type))));
    }
  }

  private String frame(String type, JsonObject data) {
    return "id: %s\nevent: %s\ndata: %s\n\n".formatted(positions, type, data.encode());
  }

  private void send(String text) {
    HttpServerResponse response = wire;
    if (response != null && !response.ended() && !response.closed()) response.write(text);
  }

  /** Something about the stream itself. */
  private void say(String type, String detail) {
    String newest = positions.get(wish.pools().getFirst());
    JsonObject data =
        new JsonObject()
            .put("id", newest)
            .put("at", Texts.time(java.time.Instant.now()))
            .put("type", type)
            .put("detail", detail);
    send(frame(type, data));
  }

  private void overrun() {
    say("overrun", "you read too slowly; come again with Last-Event-ID");
    finish();
    exchange.request().connection().close();
  }

  private void finish() {
    HttpServerResponse response = wire;
    if (response != null && !response.ended()) response.end();
  }
}
