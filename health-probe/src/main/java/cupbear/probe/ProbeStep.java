// SPDX-License-Identifier: Apache-2.0
package cupbear.probe;

/** The steps of a probe, in the order in which they can happen. */
public enum ProbeStep {
  CONNECT("connect", "TCP connect"),
  SELECT("select", "guacd's answer to a connection id that cannot exist"),
  ARGS("args", "guacd's arguments of the RDP plugin"),
  X224("x224", "the X.224 connection confirm"),
  TLS("tls", "the TLS handshake"),
  CREDSSP("credssp", "the CredSSP challenge"),
  MCS("mcs", "the MCS connect response"),
  ATTACH("attach", "the MCS attach-user confirm"),
  JOIN_USER("join-user", "the confirm for the user channel"),
  JOIN_IO("join-io", "the confirm for the I/O channel"),
  LOGIN("login", "the licensing answer to the login request"),
  DEMAND("demand", "Demand Active");

  private final String word;
  private final String awaited;

  ProbeStep(String word, String awaited) {
    this.word = word;
    this.awaited = awaited;
  }

  /** The name in JSON, tables and logs. */
  public String word() {
    return word;
  }

  /** What this step waits for, as the end of a sentence. */
  public String awaited() {
    return awaited;
  }
}
