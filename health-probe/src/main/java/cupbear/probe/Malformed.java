// SPDX-License-Identifier: Apache-2.0
package cupbear.probe;

/**
 * Thrown inside decoders only, where the first wrong octet ends everything; the conversation turns
 * it into a {@link ProbeResult.ProtocolError}. Without a stack trace, since a hostile server
 * decides how often it is made.
 */
final class Malformed extends Exception {
  private static final long serialVersionUID = 1L;

  private final Fault fault;
  private final long code;

  Malformed(Fault fault) {
    this(fault, 0);
  }

  Malformed(Fault fault, long code) {
    super(fault.words(), null, false, false);
    this.fault = fault;
    this.code = code;
  }

  ProbeResult at(ProbeStep step) {
    return new ProbeResult.ProtocolError(step, fault, code);
  }
}
