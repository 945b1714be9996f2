// SPDX-License-Identifier: Apache-2.0
package cupbear.load.assign;

import io.vertx.core.Future;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** For threads that may block: the value of a future. */
final class Waits {
  private static final int LONGEST_S = 60;

  private Waits() {}

  static <T> T get(Future<T> future) {
    try {
      return future.toCompletionStage().toCompletableFuture().get(LONGEST_S, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      throw new IllegalStateException("failed: " + e.getCause(), e);
    } catch (TimeoutException e) {
      throw new IllegalStateException("no answer within " + LONGEST_S + " s", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }
}
