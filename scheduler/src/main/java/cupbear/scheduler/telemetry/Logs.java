// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.telemetry;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.encoder.EncoderBase;
import java.io.Console;
import org.slf4j.LoggerFactory;

/**
 * How logs look. A server writes JSON lines to stdout, where the platform collects them; people in
 * front of a terminal, and every other command, get readable lines on stderr (logback.xml).
 */
public final class Logs {
  private Logs() {}

  /** For a server: JSON on stdout, unless somebody is looking. */
  public static void forServer() {
    if (!isTerminal()) json();
  }

  /** JSON on stdout, whoever looks. */
  public static void json() {
    if (!(LoggerFactory.getILoggerFactory() instanceof LoggerContext context)) return;
    EncoderBase<ILoggingEvent> lines = new JsonLines();
    lines.setContext(context);
    lines.start();
    ConsoleAppender<ILoggingEvent> stdout = new ConsoleAppender<>();
    stdout.setName("json");
    stdout.setContext(context);
    stdout.setTarget("System.out");
    stdout.setEncoder(lines);
    stdout.start();
    Logger root = context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
    root.detachAndStopAllAppenders();
    root.addAppender(stdout);
  }

  /** For a command in whose worlds this class would have thousands of things to tell. */
  public static void troublesOnly(String logger) {
    if (!(LoggerFactory.getILoggerFactory() instanceof LoggerContext context)) return;
    context.getLogger(logger).setLevel(Level.WARN);
  }

  /** Newer JDKs have a console without a terminal, and say so by a method that older ones lack. */
  @SuppressWarnings("SystemConsoleNull") // of older ones it is all they say
  public static boolean isTerminal() {
    Console console = System.console();
    if (console == null) return false;
    try {
      return (boolean) Console.class.getMethod("isTerminal").invoke(console);
    } catch (ReflectiveOperationException old) {
      return true;
    }
  }
}
