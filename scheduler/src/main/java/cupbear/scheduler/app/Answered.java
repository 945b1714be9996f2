// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.app;

import io.vertx.core.Future;

/** A request that was answered without waiting. */
record Answered(Future<Answer> answer) implements Waiting {
  static Waiting with(Answer answer) {
    return new Answered(Future.succeededFuture(answer));
  }

  @Override
  public void cancel() {}
}
