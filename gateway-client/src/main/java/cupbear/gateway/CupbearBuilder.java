// SPDX-License-Identifier: Apache-2.0
package cupbear.gateway;

import io.vertx.core.Vertx;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.DoubleSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The options of a {@link Cupbear}. URL and token are needed, the rest has defaults. */
public final class CupbearBuilder {
  // Two full waits of the scheduler's default queue time and a boot between them.
  private static final Duration DEFAULT_DEADLINE = Duration.ofSeconds(30);

  private final List<URI> urls = new ArrayList<>();
  private @Nullable Token token;
  private Duration deadline = DEFAULT_DEADLINE;
  private Supplier<Map<String, String>> headers = Map::of;
  private @Nullable Vertx vertx;
  private @Nullable Time time;
  private DoubleSupplier dice = () -> ThreadLocalRandom.current().nextDouble();

  CupbearBuilder() {}

  /**
   * A replica, as in {@code http://cupbear.internal:8080}. Call it once per replica; they are used
   * in this order, the next when one fails.
   */
  public CupbearBuilder url(String url) {
    urls.add(checked(url));
    return this;
  }

  public CupbearBuilder token(String value) {
    return token(() -> value);
  }

  /** Asked on every request, on the client's event loop: hand out a cached value, do not block. */
  public CupbearBuilder token(Supplier<String> source) {
    token = new Token(source);
    return this;
  }

  /** How long {@link Cupbear#acquire} goes on, all tries together; 30 s unless told. */
  public CupbearBuilder deadline(Duration atMost) {
    if (atMost.isNegative() || atMost.isZero()) {
      throw new IllegalArgumentException("deadline is " + atMost + "; it must be positive");
    }
    deadline = atMost;
    return this;
  }

  /**
   * Headers to add, such as {@code traceparent}; asked on the thread that calls, once per call.
   * Renewals happen without a caller and have none.
   */
  public CupbearBuilder headers(Supplier<Map<String, String>> source) {
    headers = source;
    return this;
  }

  /** Your Vert.x. It is not closed with the client. Without it the client has one of its own. */
  public CupbearBuilder vertx(Vertx yours) {
    vertx = yours;
    return this;
  }

  CupbearBuilder time(Time ours) {
    time = ours;
    return this;
  }

  CupbearBuilder dice(DoubleSupplier ours) {
    dice = ours;
    return this;
  }

  public Cupbear build() {
    if (urls.isEmpty()) throw new IllegalStateException("no URL; call url(…) first");
    if (token == null) throw new IllegalStateException("no token; call token(…) first");
    token.header(); // says now what is wrong with it, not at the first user
    return new Cupbear(
        new Cupbear.Settings(List.copyOf(urls), token, deadline, headers, vertx, time, dice));
  }

  private static URI checked(String url) {
    try {
      URI uri = new URI(url.endsWith("/") ? url.substring(0, url.length() - 1) : url);
      boolean web = "http".equals(uri.getScheme()) || "https".equals(uri.getScheme());
      boolean bare = uri.getRawUserInfo() == null && uri.getQuery() == null;
      if (web && bare && uri.getHost() != null && uri.getFragment() == null) return uri;
    } catch (URISyntaxException noUrl) {
      // Said below, without repeating what may hold a secret.
    }
    throw new IllegalArgumentException(
        "the URL must look like http://cupbear.internal:8080, without user, query and fragment");
  }
}
