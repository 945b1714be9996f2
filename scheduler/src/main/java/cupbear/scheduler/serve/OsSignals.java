// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.serve;

import java.lang.reflect.Proxy;
import java.util.Objects;

/**
 * The signals an operator sends to a process. The JDK has them only in a class that a compiler
 * warns about whatever one says, so it is called by name; a JVM without it leaves the signals as
 * they are, which {@link #on} tells.
 */
final class OsSignals {
  private OsSignals() {}

  /**
   * Runs it on a thread of the JVM's whenever the signal comes.
   *
   * @param name without SIG: {@code TERM}, {@code HUP}, {@code INT}
   * @return false when it is not heard: this JVM cannot, or whoever started the process had it
   *     ignore the signal (as nohup does with HUP), which the JVM leaves as it is
   */
  static boolean on(String name, Runnable then) {
    try {
      Class<?> signal = Class.forName("sun.misc.Signal");
      Class<?> handler = Class.forName("sun.misc.SignalHandler");
      Object ours =
          Proxy.newProxyInstance(
              OsSignals.class.getClassLoader(),
              new Class<?>[] {handler},
              (self, method, args) -> answer(self, method.getName(), args, then));
      Object wanted = signal.getConstructor(String.class).newInstance(name);
      Object before = signal.getMethod("handle", signal, handler).invoke(null, wanted, ours);
      return !Objects.equals(before, handler.getField("SIG_IGN").get(null));
    } catch (ReflectiveOperationException | IllegalArgumentException e) {
      return false;
    }
  }

  @SuppressWarnings("ReferenceEquality") // it is what equals means for a handler
  private static @org.jspecify.annotations.Nullable Object answer(
      Object self, String method, Object[] args, Runnable then) {
    return switch (method) {
      case "handle" -> {
        then.run();
        yield null;
      }
      case "equals" -> self == args[0];
      case "hashCode" -> System.identityHashCode(self);
      default -> "handler";
    };
  }
}
