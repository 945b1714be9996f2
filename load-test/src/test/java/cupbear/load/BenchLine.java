// SPDX-License-Identifier: Apache-2.0
package cupbear.load;

import java.io.PrintWriter;
import java.io.StringWriter;
import picocli.CommandLine;

/** The command line as {@code ./cupbear} has it, with what it printed. */
public final class BenchLine {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  public int run(String... words) {
    CommandLine line = Main.commandLine();
    return line.setOut(new PrintWriter(out)).setErr(new PrintWriter(err)).execute(words);
  }

  public String out() {
    return out.toString();
  }

  public String err() {
    return err.toString();
  }
}
