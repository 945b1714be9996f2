// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.config;

/** Where a value comes from, so that a person can go there. */
public sealed interface Origin {
  /** Lines and columns count from one, as editors do. */
  record InFile(String file, int line, int column) implements Origin {
    @Override
    public String toString() {
      return "%s:%d:%d".formatted(file, line, column);
    }
  }

  /** An environment variable. */
  record InEnvironment(String variable) implements Origin {
    @Override
    public String toString() {
      return variable;
    }
  }

  /** Nobody said anything. */
  record Default() implements Origin {
    @Override
    public String toString() {
      return "default";
    }
  }
}
