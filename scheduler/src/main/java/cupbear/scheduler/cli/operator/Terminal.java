// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.cli.operator;

import java.io.Console;
import java.io.PrintWriter;
import org.jspecify.annotations.Nullable;

/** Whether a person sits in front of this, and what they say. */
interface Terminal {
  boolean isThere();

  /** What was typed; null when there is nobody any more. */
  @Nullable String ask(PrintWriter err, String question);

  /** That of this process. */
  Terminal SYSTEM =
      new Terminal() {
        @Override
        @SuppressWarnings("SystemConsoleNull") // on JDK 21 it does
        public boolean isThere() {
          Console console = System.console();
          if (console == null) return false;
          try {
            // Since JDK 22 there is a console without a terminal too, and a way to ask which.
            return (boolean) Console.class.getMethod("isTerminal").invoke(console);
          } catch (ReflectiveOperationException older) {
            return true;
          }
        }

        @Override
        @SuppressWarnings("SystemConsoleNull") // on JDK 21 it does
        public @Nullable String ask(PrintWriter err, String question) {
          err.print(question);
          err.flush();
          Console console = System.console();
          return console == null ? null : console.readLine();
        }
      };
}
