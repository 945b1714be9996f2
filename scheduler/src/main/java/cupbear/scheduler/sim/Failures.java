// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.sim;

/** An exception that came out of the scheduler, in one line. */
final class Failures {
  private static final int FRAMES = 4;

  private Failures() {}

  static String inShort(Throwable failure) {
    StringBuilder text = new StringBuilder(String.valueOf(failure));
    StackTraceElement[] frames = failure.getStackTrace();
    for (int i = 0; i < Math.min(FRAMES, frames.length); i++) {
      text.append(i == 0 ? " at " : " < ")
          .append(frames[i].getFileName())
          .append(':')
          .append(frames[i].getLineNumber());
    }
    return text.toString();
  }
}
