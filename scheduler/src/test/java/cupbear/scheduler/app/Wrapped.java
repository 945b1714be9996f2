// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.app;

import cupbear.scheduler.port.Claims;
import cupbear.scheduler.port.StoreTrouble;
import io.vertx.core.Future;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** A store behind a bad wire: a test says, call by call, what becomes of it. */
final class Wrapped {
  /** Decides about one call: carries it out, or not, and answers what it likes. */
  interface Wire {
    Object pass(String call, Supplier<Object> carryOut);
  }

  final List<String> calls = new ArrayList<>();
  Wire wire = (call, carryOut) -> carryOut.get();

  Claims claims(Claims real) {
    return (Claims)
        Proxy.newProxyInstance(
            Claims.class.getClassLoader(),
            new Class<?>[] {Claims.class},
            (proxy, method, args) -> {
              calls.add(method.getName());
              return wire.pass(method.getName(), () -> invoke(() -> method.invoke(real, args)));
            });
  }

  static Future<?> trouble(StoreTrouble.Kind kind) {
    return Future.failedFuture(new StoreTrouble(kind, "as the test says"));
  }

  private interface Call {
    Object now() throws IllegalAccessException, InvocationTargetException;
  }

  private static Object invoke(Call call) {
    try {
      return call.now();
    } catch (IllegalAccessException | InvocationTargetException e) {
      throw new IllegalStateException(e);
    }
  }
}
