// SPDX-License-Identifier: Apache-2.0
package cupbear.fly.model;

import java.time.Duration;
import java.util.List;

/**
 * A command to run inside a Machine.
 *
 * @param stdin what the command reads; the place for credentials, as it is never printed
 * @param container empty for the only one
 */
public record ExecCommand(List<String> command, Secret stdin, Duration timeout, String container) {

  /** Fly ends a command after this long. */
  public static final Duration LONGEST = Duration.ofMinutes(1);

  private static final Duration USUAL = Duration.ofSeconds(20);

  public ExecCommand {
    command = List.copyOf(command);
    if (command.isEmpty()) {
      throw new IllegalArgumentException("exec needs a command, for example [\"true\"]");
    }
    if (timeout.compareTo(Duration.ofSeconds(1)) < 0 || timeout.compareTo(LONGEST) > 0) {
      throw new IllegalArgumentException("a command may run 1 s to 60 s, not " + timeout);
    }
    container = Absent.text(container);
  }

  public static ExecCommand of(String... command) {
    return new ExecCommand(List.of(command), Secret.of(""), USUAL, "");
  }

  public ExecCommand reading(Secret input) {
    return new ExecCommand(command, input, timeout, container);
  }

  public ExecCommand within(Duration limit) {
    return new ExecCommand(command, stdin, limit, container);
  }

  /** Without arguments: they end up in logs. */
  @Override
  public String toString() {
    return "ExecCommand[" + command.get(0) + ", " + (command.size() - 1) + " arguments]";
  }
}
