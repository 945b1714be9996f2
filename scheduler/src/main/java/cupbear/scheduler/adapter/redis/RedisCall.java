// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.adapter.redis;

import cupbear.scheduler.port.StoreTrouble;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One script call on its way through a lane. The lane's thread settles it exactly once; the caller
 * hears of it on the context it called from.
 */
final class RedisCall {
  private static final Logger log = LoggerFactory.getLogger(RedisCall.class);

  /** How often a call that was surely not carried out is sent again. */
  private static final int RESENDS_MAX = 3;

  private final Script script;
  private final String prefix;
  private final List<String> args;
  private final long deadlineNanos;
  private final @Nullable Context context;
  private final Promise<Object> promise = Promise.promise();
  private int resends;
  private @Nullable Object value;
  private @Nullable StoreTrouble trouble;

  RedisCall(
      Script script,
      String prefix,
      List<String> args,
      long deadlineNanos,
      @Nullable Context context) {
    this.script = script;
    this.prefix = prefix;
    this.args = List.copyOf(args);
    this.deadlineNanos = deadlineNanos;
    this.context = context;
  }

  Script script() {
    return script;
  }

  /** What all keys of its pool start with. */
  String prefix() {
    return prefix;
  }

  List<String> args() {
    return args;
  }

  @Nullable Context context() {
    return context;
  }

  Future<Object> future() {
    return promise.future();
  }

  boolean isOverdue(long nowNanos) {
    return deadlineNanos - nowNanos <= 0;
  }

  /** May it be sent once more? */
  boolean mayResend(long nowNanos) {
    return resends++ < RESENDS_MAX && !isOverdue(nowNanos);
  }

  void answer(Object answer) {
    value = answer;
  }

  void refuse(StoreTrouble.Kind kind, String detail) {
    trouble = new StoreTrouble(kind, script + ": " + detail);
  }

  boolean isSettled() {
    return value != null || trouble != null;
  }

  /**
   * Tells the caller, once; on its own context. A caller that fails at hearing it must not keep the
   * others of its batch from hearing theirs.
   */
  @SuppressWarnings("IllegalCatch")
  void tell() {
    try {
      if (trouble != null) promise.tryFail(trouble);
      else promise.tryComplete(Objects.requireNonNull(value));
    } catch (RuntimeException bug) {
      log.error("Somebody failed at hearing what came of {}", script, bug);
    }
  }
}
