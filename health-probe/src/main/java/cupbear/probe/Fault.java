// SPDX-License-Identifier: Apache-2.0
package cupbear.probe;

/** What was wrong with octets that came. */
public enum Fault {
  NOT_TPKT("what came is not RDP: no TPKT header", false),
  BAD_LENGTH("a length that no such PDU can have", false),
  TRUNCATED("the stream ended inside a PDU", false),
  BAD_TPDU("an X.224 PDU that does not belong here", false),
  BAD_NEGOTIATION("negotiation data that makes no sense", false),
  UNOFFERED_PROTOCOL("the server selected a protocol that was not offered", true),
  MCS_RESULT("the server refused the MCS connection, result", true),
  MCS_DISCONNECT("the server hung up politely, reason", true),
  BAD_BLOCK("a block inside a PDU does not fit it", false),
  ATTACH_REFUSED("the server refused to attach a user, result", true),
  JOIN_REFUSED("the server refused a channel, result", true),
  LICENSE_ERROR("the server answered the login request with licensing error", true),
  ERROR_INFO("the server answered the login request with error info", true),
  UNEXPECTED_PDU("a PDU that does not belong here", false),
  NOT_CREDSSP("what came is not the CredSSP challenge", false),
  NOT_GUACAMOLE("what came is not a Guacamole instruction", false),
  UNEXPECTED_INSTRUCTION("guacd answered with another instruction, status", true);

  private final String words;
  private final boolean hasCode;

  Fault(String words, boolean hasCode) {
    this.words = words;
    this.hasCode = hasCode;
  }

  boolean hasCode() {
    return hasCode;
  }

  String words() {
    return words;
  }
}
