// SPDX-License-Identifier: Apache-2.0
package cupbear.load.assign;

import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Gateways that ask, ask again, ask twice at once, hang up, connect, renew, give back, complain and
 * forget; each on a thread of its own, all with what they saw in one history.
 */
final class Callers {
  /** How a caller treats what it was given. */
  private enum Manner {
    GIVE_BACK,
    CONNECT_AND_RENEW,
    COMPLAIN,
    /** Never connected: its time to confirm runs out. */
    FORGET,
    /** Connected, and never heard of again: its lease runs out. */
    VANISH
  }

  private static final int TRIES = 60;

  /** Between our reading of a promised time and the server's. */
  private static final long DOUBT_MICROS = 20_000;

  private final String token;
  private final AtomicIntegerArray ports;
  private final int claims;
  private final AtomicInteger begun = new AtomicInteger();
  private final AtomicInteger unanswered = new AtomicInteger();
  private final AtomicInteger spent = new AtomicInteger();
  private final AtomicLong requests = new AtomicLong();
  private final ConcurrentLinkedQueue<Sighting> history = new ConcurrentLinkedQueue<>();
  private final ConcurrentLinkedQueue<String> strange = new ConcurrentLinkedQueue<>();

  Callers(String token, AtomicIntegerArray ports, int claims) {
    this.token = token;
    this.ports = ports;
    this.claims = claims;
  }

  int begun() {
    return Math.min(begun.get(), claims);
  }

  /** Keys that were given up without an answer. */
  int unanswered() {
    return unanswered.get();
  }

  /** Keys that heard that their session is over. */
  int spent() {
    return spent.get();
  }

  long requests() {
    return requests.get();
  }

  List<Sighting> history() {
    return List.copyOf(history);
  }

  /** Answers that no caller should ever get. */
  List<String> strange() {
    return List.copyOf(strange);
  }

  /** One caller's life. */
  void live(int number) {
    Random dice = new Random(number);
    try (Gateway gateway = new Gateway(token);
        Gateway twin = new Gateway(token)) {
      for (int i = begun.getAndIncrement(); i < claims; i = begun.getAndIncrement()) {
        new Visit("key-%012d".formatted(i), dice, gateway, twin).run();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static long now() {
    Instant now = Instant.now();
    return now.getEpochSecond() * 1_000_000 + now.getNano() / 1_000;
  }

  private static long micros(String time) {
    Instant at = Instant.parse(time);
    return at.getEpochSecond() * 1_000_000 + at.getNano() / 1_000;
  }

  /** One key from the first request to the end of its session. */
  private final class Visit {
    private final String key;
    private final Random dice;
    private final Gateway gateway;
    private final Gateway twin;
    private final String body;

    Visit(String key, Random dice, Gateway gateway, Gateway twin) {
      this.key = key;
      this.dice = dice;
      this.gateway = gateway;
      this.twin = twin;
      this.body =
          "{\"pool\":\"torture\",\"tenant\":\"t%d\",\"wait\":\"2s\"}".formatted(dice.nextInt(5));
    }

    private int anyPort() {
      return ports.get(dice.nextInt(ports.length()));
    }

    void run() throws InterruptedException {
      int luck = dice.nextInt(100);
      if (luck < 8) {
        hangUp();
        // Half of them come back, and the others are never heard of again.
        if (dice.nextBoolean()) return;
      } else if (luck < 16) {
        // Asked for once more when it is over, the key is spent; a new session would be a fault.
        twice();
      }
      JsonObject session = ask();
      if (session != null) treat(session);
    }

    private void hangUp() throws InterruptedException {
      requests.incrementAndGet();
      try {
        gateway.sendAndHangUp(anyPort(), "/v1/sessions", key, body, dice.nextInt(15));
      } catch (IOException replicaIsDead) {
        // As good as hanging up.
      }
    }

    /** The same request at the same time to another replica. What it hears must be the same. */
    private void twice() throws InterruptedException {
      int port = anyPort();
      Thread other =
          Thread.ofVirtual()
              .start(() -> {
                requests.incrementAndGet();
                try {
                  Gateway.Reply reply = twin.call(port, "POST", "/v1/sessions", key, body);
                  // It only looks: whoever is first to give it back does so for both.
                  if (reply.status() == 201) {
                    JsonObject seen = new JsonObject(reply.body());
                    note(key, seen, now(), now() + 1);
                  }
                } catch (IOException replicaIsDead) {
                  // The first one asks on.
                }
              });
      JsonObject session = ask();
      other.join();
      if (session != null) treat(session);
    }

    /** Until there is an answer; null when there is none for too long, or the key is spent. */
    private @Nullable JsonObject ask() throws InterruptedException {
      for (int i = 0; i < TRIES; i++) {
        requests.incrementAndGet();
        try {
          Gateway.Reply reply = gateway.call(anyPort(), "POST", "/v1/sessions", key, body);
          switch (reply.status()) {
            case 201 -> {
              return new JsonObject(reply.body());
            }
            case 409 -> {
              spent.incrementAndGet();
              return null;
            }
            case 503 -> Thread.sleep(50 + dice.nextInt(100));
            default -> {
              strange.add("POST " + key + ": " + reply);
              return null;
            }
          }
        } catch (IOException replicaIsDead) {
          Thread.sleep(20 + dice.nextInt(50));
        }
      }
      unanswered.incrementAndGet();
      return null;
    }

    private void note(String asked, JsonObject session, long from, long until) {
      history.add(
          new Sighting(
              asked,
              session.getString("id"),
              session.getJsonObject("machine").getString("id"),
              session.getLong("epoch"),
              from,
              until));
    }

    private void treat(JsonObject session) throws InterruptedException {
      treat(key, session);
    }

    private void treat(String asked, JsonObject session) throws InterruptedException {
      long from = now();
      long promised = promised(session.getJsonObject("lease"));
      Manner manner = manner();
      if (manner == Manner.CONNECT_AND_RENEW || manner == Manner.VANISH) {
        promised = Math.max(promised, renew(session, promised));
      } else {
        Thread.sleep(dice.nextInt(8));
      }
      boolean forgotten = manner == Manner.FORGET || manner == Manner.VANISH;
      note(asked, session, from, Math.min(promised, forgotten ? promised : now()));
      switch (manner) {
        case GIVE_BACK, CONNECT_AND_RENEW -> until("DELETE", path(session), "", 204);
        case COMPLAIN -> complain(asked, session, promised);
        case FORGET, VANISH -> {}
      }
    }

    private Manner manner() {
      int luck = dice.nextInt(100);
      if (luck < 80) return Manner.GIVE_BACK;
      if (luck < 91) return Manner.CONNECT_AND_RENEW;
      if (luck < 96) return Manner.COMPLAIN;
      return luck < 98 ? Manner.FORGET : Manner.VANISH;
    }

    private static String path(JsonObject session) {
      return "/v1/sessions/" + session.getString("id");
    }

    private static long promised(JsonObject lease) {
      return micros(lease.getString("expires_at")) - DOUBT_MICROS;
    }

    /** The Machine is no good; half of those who say so want another one, and may say so again. */
    private void complain(String asked, JsonObject session, long promised)
        throws InterruptedException {
      boolean replace = dice.nextBoolean();
      String said =
          new JsonObject()
              .put("epoch", session.getLong("epoch"))
              .put("reason", "black screen")
              .put("replace", replace)
              .encode();
      Gateway.Reply reply = until("POST", path(session) + "/fail", said, replace ? 200 : 204);
      if (reply == null) return;
      if (reply.status() == 200) {
        treat(asked + "/again", new JsonObject(reply.body()));
      } else if (reply.status() != 204 && !isLate(reply, promised)) {
        strange.add("POST " + asked + "/fail: " + reply);
      }
    }

    /** On a slow machine its time may be over; that it ends any sooner would be a fault. */
    private static boolean isLate(Gateway.Reply reply, long until) {
      return reply.status() == 409 && now() >= until;
    }

    /** Connects and renews once or twice; until when it was promised in the end. */
    private long renew(JsonObject session, long promised) throws InterruptedException {
      long until = promised;
      String connected = new JsonObject().put("epoch", session.getLong("epoch")).encode();
      Gateway.Reply heard = once("POST", path(session) + "/connected", connected);
      if (heard != null && !isGood(heard, 204, until)) {
        strange.add("POST " + key + "/connected: " + heard);
      }
      for (int i = dice.nextInt(2); i >= 0; i--) {
        Thread.sleep(dice.nextInt(60));
        String said =
            new JsonObject()
                .put("epoch", session.getLong("epoch"))
                .put("receipt", session.getString("receipt"))
                .encode();
        Gateway.Reply reply = once("PUT", path(session) + "/lease", said);
        if (reply == null) continue;
        if (!isGood(reply, 200, until)) strange.add("PUT " + key + ": " + reply);
        if (reply.status() == 200) {
          until = promised(new JsonObject(reply.body()).getJsonObject("lease"));
        }
      }
      return until;
    }

    private static boolean isGood(Gateway.Reply reply, int wanted, long until) {
      return reply.status() == wanted || reply.status() == 503 || isLate(reply, until);
    }

    private Gateway.@Nullable Reply once(String method, String path, String said) {
      requests.incrementAndGet();
      try {
        return gateway.call(anyPort(), method, path, "", said);
      } catch (IOException replicaIsDead) {
        return null;
      }
    }

    /**
     * Says so until somebody has heard it, or its time is over anyway.
     *
     * @return the answer; null when nobody gave one
     */
    private Gateway.@Nullable Reply until(String method, String path, String said, int wanted)
        throws InterruptedException {
      for (int i = 0; i < TRIES; i++) {
        Gateway.Reply reply = once(method, path, said);
        if (reply != null && reply.status() != 503) {
          boolean expected = reply.status() == wanted || reply.status() == 409;
          if (!expected) strange.add(method + " " + path + ": " + reply);
          return reply;
        }
        Thread.sleep(50 + dice.nextInt(50));
      }
      return null;
    }
  }
}
