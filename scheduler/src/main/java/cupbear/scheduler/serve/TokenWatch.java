// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.serve;

import cupbear.scheduler.security.TokenDirectory;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Looks at the token file now and then, so that a token works, or stops working, without fuss. */
final class TokenWatch implements AutoCloseable {
  /** A revoked token works this much longer at most. */
  private static final Duration EVERY = Duration.ofSeconds(2);

  private static final Logger LOG = LoggerFactory.getLogger(TokenWatch.class);

  private final Vertx vertx;
  private final TokenDirectory tokens;
  private final long timer;
  private List<String> told = List.of();

  TokenWatch(Vertx vertx, TokenDirectory tokens) {
    this.vertx = vertx;
    this.tokens = tokens;
    this.timer = vertx.setPeriodic(EVERY.toMillis(), any -> look());
  }

  private void look() {
    vertx.executeBlocking(tokens::refresh, true).onSuccess(this::tell);
  }

  /** The same trouble is told once. */
  private void tell(TokenDirectory.Refresh refresh) {
    switch (refresh) {
      case TokenDirectory.Refresh.Unchanged unchanged -> told = List.of();
      case TokenDirectory.Refresh.Reloaded reloaded -> {
        told = List.of();
        LOG.atInfo().addKeyValue("tokens", reloaded.tokens()).log("token file read");
      }
      case TokenDirectory.Refresh.Kept kept -> {
        if (kept.problems().equals(told)) return;
        told = kept.problems();
        LOG.atError()
            .addKeyValue("problems", kept.problems())
            .log("token file is unusable; the tokens known before still hold");
      }
    }
  }

  @Override
  public void close() {
    vertx.cancelTimer(timer);
  }
}
