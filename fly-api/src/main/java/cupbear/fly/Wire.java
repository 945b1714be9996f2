// SPDX-License-Identifier: Apache-2.0
package cupbear.fly;

import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.time.Duration;
import java.util.Map;

/** Carries one request and brings one answer; the only place that knows sockets. */
interface Wire {

  /**
   * @param timeout when to let go of the connection
   */
  record Outgoing(
      String method, String uri, Map<String, String> headers, Buffer body, Duration timeout) {}

  /** Whatever Fly answered, error or not. */
  record Answer(int status, String requestId, Buffer body) {
    boolean ok() {
      return status >= 200 && status < 300;
    }
  }

  /** Fails only when there was no answer. */
  Future<Answer> send(Outgoing request);

  Future<Void> close();
}
