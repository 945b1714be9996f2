// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.telemetry;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.OutputStreamAppender;
import ch.qos.logback.core.encoder.EncoderBase;
import java.io.Console;
import java.io.OutputStream;
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
    ConsoleAppender<ILoggingEvent> stdout = new ConsoleAppender<>();
    stdout.setTarget("System.out");
    start(stdout, context);
    Logger root = context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
    root.detachAndStopAllAppenders();
    root.addAppender(stdout);
  }

  private static void start(OutputStreamAppender<ILoggingEvent> appender, LoggerContext context) {
    EncoderBase<ILoggingEvent> lines = new JsonLines();
    lines.setContext(context);
    lines.start();
    appender.setName("json");
    appender.setContext(context);
    appender.setEncoder(lines);
    appender.start();
  }

  /**
   * For a command that measures a server: the line per request is written as a server writes it,
   * but to where it disturbs nobody. As it was before once that is over.
   */
  public static Runnable chronicleTo(OutputStream out) {
    if (!(LoggerFactory.getILoggerFactory() instanceof LoggerContext context)) return () -> {};
    OutputStreamAppender<ILoggingEvent> appender = new OutputStreamAppender<>();
    appender.setOutputStream(out);
    start(appender, context);
    Logger chronicle = context.getLogger(Chronicle.NAME);
    chronicle.setAdditive(false);
    chronicle.addAppender(appender);
    return () -> {
      chronicle.detachAppender(appender);
      chronicle.setAdditive(true);
      appender.stop();
    };
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
