// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.cli;

import io.netty.util.internal.logging.InternalLoggerFactory;
import io.netty.util.internal.logging.JdkLoggerFactory;

/** Keeps Netty's talk about itself out of a command's output, which programs read. */
final class ProbeLogging {

  private ProbeLogging() {}

  /** To be called before the first probe: Netty chooses its logger when it is first used. */
  static void quiet() {
    InternalLoggerFactory.setDefaultFactory(JdkLoggerFactory.INSTANCE);
  }
}
