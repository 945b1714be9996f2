// SPDX-License-Identifier: Apache-2.0
package cupbear.probe;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/**
 * What an RDP client sends up to its login request, octet by octet. Pure. Nothing in here can start
 * a session: the login request is empty, without auto-logon, and nothing follows it.
 */
final class RdpRequests {

  /** xrdp logs it, so that operators can tell probes from users. */
  private static final String CLIENT_NAME = "healthprobe";

  /** Disconnect Provider Ultimatum, reason user-requested. */
  private static final byte[] ULTIMATUM = hex("0300000902f0802180");

  private static final byte[] ERECT_DOMAIN_ATTACH_USER =
      hex("0300000c02f08004010001000300000802f08028");

  // Domain selectors, upward flag; target, minimum and maximum domain parameters.
  private static final byte[] DOMAIN =
      hex(
          "0401010401010101ff"
              + "30190201220201020201000201010201000201010202ffff020102"
              + "301902010102010102010102010102010002010102020420020102"
              + "301c0202ffff0202fc170202ffff0201010201000201010202ffff020102");

  private static final byte[] GCC_KEY = hex("000500147c0001");
  private static final byte[] CONFERENCE_CREATE = hex("000800100001c00044756361");

  // One DER structure: version 6 and a raw NTLM NEGOTIATE. It names no user and asks for no logon.
  private static final byte[] CREDSSP_NEGOTIATE =
      hex(
          "3037a003020106a130302e302ca02a0428"
              + "4e544c4d535350000100000015820862"
              + "00000000000000000000000000000000"
              + "0601b11d0000000f");

  private static final int CORE_OCTETS = 234;
  private static final int INFO_PACKET = 0x40;
  // Mouse, no Ctrl+Alt+Del, Unicode, maximised shell, logon notify, Windows key. Not 08, which is
  // auto-logon.
  private static final int INFO_FLAGS = 0x173;
  private static final int TIME_ZONE_OCTETS = 172;
  private static final int USER_CHANNEL_BASE = 1001;

  private RdpRequests() {}

  static ByteBuf connectionRequest(RdpOffer offer) {
    ByteBuf out = Unpooled.buffer().writeBytes(hex("030000130ee00000000000"));
    return out.writeBytes(hex("01000800")).writeIntLE(offer.bits());
  }

  /** MCS Connect-Initial with core, security and network data; no static channels. */
  static ByteBuf connectInitial(Selected selected) {
    ByteBuf blocks = Unpooled.buffer().writeBytes(core(selected));
    int encryptions = selected.bits() == 0 ? 0x0B : 0;
    blocks.writeBytes(hex("02c00c00")).writeIntLE(encryptions).writeIntLE(0);
    blocks.writeBytes(hex("03c0080000000000"));

    // xrdp skips a fixed number of octets to the blocks: the lengths must be in their long forms.
    ByteBuf conference = Unpooled.buffer().writeBytes(CONFERENCE_CREATE);
    conference.writeShort(0x8000 | blocks.readableBytes()).writeBytes(blocks);
    ByteBuf user = Unpooled.buffer().writeBytes(GCC_KEY);
    user.writeShort(0x8000 | conference.readableBytes()).writeBytes(conference);
    ByteBuf body = Unpooled.buffer().writeBytes(DOMAIN).writeByte(0x04).writeByte(0x82);
    body.writeShort(user.readableBytes()).writeBytes(user);
    ByteBuf pdu = Unpooled.buffer().writeShort(0x7F65).writeByte(0x82);
    return data(pdu.writeShort(body.readableBytes()).writeBytes(body));
  }

  private static ByteBuf core(Selected selected) {
    ByteBuf out = Unpooled.buffer().writeShortLE(0xC001).writeShortLE(CORE_OCTETS);
    out.writeIntLE(0x00080004).writeShortLE(800).writeShortLE(600);
    out.writeShortLE(0xCA01).writeShortLE(0xAA03).writeIntLE(0x409).writeIntLE(2600);
    byte[] name = CLIENT_NAME.getBytes(StandardCharsets.UTF_16LE);
    out.writeBytes(name).writeZero(32 - name.length);
    out.writeIntLE(4).writeIntLE(0).writeIntLE(12).writeZero(64);
    out.writeShortLE(0xCA01).writeShortLE(1).writeIntLE(0);
    out.writeShortLE(0x10).writeShortLE(7).writeShortLE(1).writeZero(66);
    out.writeIntLE(selected.bits());
    out.writeIntLE(210).writeIntLE(158).writeShortLE(0);
    return out.writeIntLE(100).writeIntLE(100);
  }

  static ByteBuf erectDomainAndAttachUser() {
    return Unpooled.wrappedBuffer(ERECT_DOMAIN_ATTACH_USER);
  }

  static ByteBuf joinChannel(int initiator, int channel) {
    return data(Unpooled.buffer().writeByte(0x38).writeShort(initiator).writeShort(channel));
  }

  static int userChannel(int initiator) {
    return USER_CHANNEL_BASE + initiator;
  }

  /** Client Info: the login request, of nobody. */
  static ByteBuf clientInfo(int initiator, int ioChannel) {
    ByteBuf info = Unpooled.buffer().writeIntLE(INFO_PACKET);
    info.writeIntLE(0).writeIntLE(INFO_FLAGS);
    // Five empty strings: their lengths, then their terminators.
    info.writeZero(5 * 2).writeZero(5 * 2);
    info.writeShortLE(2).writeShortLE(2).writeShortLE(0).writeShortLE(2).writeShortLE(0);
    info.writeZero(TIME_ZONE_OCTETS).writeZero(8).writeZero(2).writeZero(8);
    ByteBuf pdu = Unpooled.buffer().writeByte(0x64).writeShort(initiator).writeShort(ioChannel);
    pdu.writeByte(0x70).writeShort(0x8000 | info.readableBytes());
    return data(pdu.writeBytes(info));
  }

  static ByteBuf credSspNegotiate() {
    return Unpooled.wrappedBuffer(CREDSSP_NEGOTIATE);
  }

  static ByteBuf ultimatum() {
    return Unpooled.wrappedBuffer(ULTIMATUM);
  }

  private static ByteBuf data(ByteBuf mcs) {
    ByteBuf out = Unpooled.buffer().writeShort(0x0300).writeShort(7 + mcs.readableBytes());
    return out.writeMedium(0x02F080).writeBytes(mcs);
  }

  private static byte[] hex(String digits) {
    return HexFormat.of().parseHex(digits);
  }
}
