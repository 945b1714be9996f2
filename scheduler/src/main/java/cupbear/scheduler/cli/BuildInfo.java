// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.cli;

import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;

/** What was built and what runs it; the commit is "unknown" outside a git checkout. */
@JsonPropertyOrder({"version", "commit", "java"})
public record BuildInfo(String version, String commit, String java) {
  private static final String RESOURCE = "/cupbear-build.properties";

  /** Reads the facts that the build left in the jar. */
  public static BuildInfo current() {
    Properties facts = new Properties();
    try (InputStream in = BuildInfo.class.getResourceAsStream(RESOURCE)) {
      if (in == null) throw new IllegalStateException(RESOURCE + " is missing from the jar");
      facts.load(in);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return new BuildInfo(
        facts.getProperty("version", "unknown"),
        commit(facts.getProperty("commit", ""), facts.getProperty("dirty", "")),
        System.getProperty("java.version") + " (" + System.getProperty("java.vendor") + ")");
  }

  static String commit(String hash, String dirty) {
    // Maven leaves the placeholder in place when there was no git checkout to ask.
    if (hash.isEmpty() || hash.startsWith("$")) return "unknown";
    return dirty.equals("true") ? hash + "-dirty" : hash;
  }
}
