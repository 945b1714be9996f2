// SPDX-License-Identifier: Apache-2.0
package cupbear.flysim.world;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A call whose token is good and whose app and Machine have been found. */
record Request(Call call, Token token, @Nullable App foundApp, @Nullable Machine foundMachine) {

  App app() {
    return Objects.requireNonNull(foundApp, "a call without an app");
  }

  Machine machine() {
    return Objects.requireNonNull(foundMachine, "a call without a Machine");
  }

  ObjectNode body() {
    return Json.objectFrom(call.body());
  }
}
