// SPDX-License-Identifier: Apache-2.0
package cupbear.flysim.viewer;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.HexFormat;
import java.util.OptionalInt;

/**
 * The PDUs that an RDP server sends up to the point where a session would begin, octet by octet as
 * xrdp 0.10.1 was recorded. Pure.
 */
final class RdpPdus {

  static final int IO_CHANNEL = 1003;
  static final int USER_CHANNEL_BASE = 1001;

  private static final int NO_SUCH_CHANNEL = 3;
  private static final int VERSION_5_PLUS = 0x00080004;

  private static final byte[] ULTIMATUM = hex("0300000902f0802180");
  private static final byte[] DOMAIN_PARAMETERS =
      hex("0a0100020100301a020116020103020100020101020100020101020300fff8020102");
  private static final byte[] GCC_HEAD = hex("000500147c00012a14760a01010001c0004d63446e");
  private static final byte[] NO_ENCRYPTION = hex("020c0c000000000000000000");

  // Security flags 0280, error alert, STATUS_VALID_CLIENT, ST_NO_TRANSITION.
  private static final byte[] VALID_CLIENT = hex("80020000ff031000070000000200000004000000");

  // Share id, length of the descriptor, "RDP", 14 capability sets.
  private static final byte[] DEMAND_HEAD = hex("ea03010004005c01524450000e00000009000800");
  private static final byte[] GENERAL_AND_BITMAP =
      hex("b5e201001800010003000002000000000104000000000000010102001c001000010001000100");
  private static final byte[] OTHER_CAPABILITIES =
      hex(
          """
          0000010001000000000000000e00040003005800000000000000000000000000
          0000000040420f0001001400000001002f002200010101010000000001000100
          0000000000000100000000000000000100000000a106020040420f0040420f00
          01000000000000001d002f0002b91b8dca0f004f15589fae2d1a87e2d6010300
          010103e64caf1bed9e0c43869acb8b37b662370001004b0a0008000600000008
          000a000100190019000d0058003d010000000000000000000000000000000000
          0000000000000000000000000000000000000000000000000000000000000000
          0000000000000000000000000000000000000000000000000000000000000000
          0006000500001a00080000c020001b00060001001e000800020000001c000c00
          520000000000000000000000
          """);

  private RdpPdus() {}

  static ByteBuf ultimatum() {
    return Unpooled.wrappedBuffer(ULTIMATUM);
  }

  /**
   * @param offered what the X.224 request carried; the client checks that nobody changed it
   */
  static ByteBuf connectResponse(OptionalInt offered, int channels) {
    ByteBuf blocks = Unpooled.buffer();
    blocks.writeShortLE(0x0C01).writeShortLE(offered.isPresent() ? 12 : 8);
    blocks.writeIntLE(VERSION_5_PLUS);
    offered.ifPresent(blocks::writeIntLE);
    int padding = channels % 2;
    blocks.writeShortLE(0x0C03).writeShortLE(8 + 2 * (channels + padding));
    blocks.writeShortLE(IO_CHANNEL).writeShortLE(channels);
    for (int i = 1; i <= channels; i++) {
      blocks.writeShortLE(IO_CHANNEL + i);
    }
    blocks.writeZero(2 * padding).writeBytes(NO_ENCRYPTION);

    ByteBuf userData = Unpooled.buffer().writeBytes(GCC_HEAD);
    userData.writeShort(0x8000 | blocks.readableBytes()).writeBytes(blocks);
    ByteBuf body = Unpooled.buffer().writeBytes(DOMAIN_PARAMETERS).writeByte(0x04);
    berLength(body, userData.readableBytes()).writeBytes(userData);
    ByteBuf pdu = Unpooled.buffer().writeShort(0x7F66);
    return tpkt(berLength(pdu, body.readableBytes()).writeBytes(body));
  }

  static ByteBuf attachUserConfirm(int initiator) {
    return tpkt(Unpooled.buffer().writeShort(0x2E00).writeShort(initiator));
  }

  static ByteBuf channelJoinConfirm(int initiator, int channel) {
    return tpkt(
        Unpooled.buffer()
            .writeShort(0x3E00)
            .writeShort(initiator)
            .writeShort(channel)
            .writeShort(channel));
  }

  static ByteBuf channelJoinRefusal(int initiator, int channel) {
    return tpkt(
        Unpooled.buffer()
            .writeByte(0x3C)
            .writeByte(NO_SUCH_CHANNEL)
            .writeShort(initiator)
            .writeShort(channel));
  }

  static ByteBuf validClient(int initiator) {
    return sendData(initiator, Unpooled.wrappedBuffer(VALID_CLIENT));
  }

  static ByteBuf demandActive(int initiator, int width, int height) {
    int user = USER_CHANNEL_BASE + initiator;
    ByteBuf rest = Unpooled.buffer();
    rest.writeShortLE(0x11).writeShortLE(user).writeBytes(DEMAND_HEAD).writeShortLE(user);
    rest.writeBytes(GENERAL_AND_BITMAP).writeShortLE(width).writeShortLE(height);
    rest.writeBytes(OTHER_CAPABILITIES);
    ByteBuf whole = Unpooled.buffer().writeShortLE(2 + rest.readableBytes());
    return sendData(initiator, whole.writeBytes(rest));
  }

  private static ByteBuf sendData(int initiator, ByteBuf data) {
    ByteBuf pdu = Unpooled.buffer().writeByte(0x68).writeShort(initiator);
    pdu.writeShort(IO_CHANNEL).writeByte(0x70);
    int length = data.readableBytes();
    if (length < 0x80) {
      pdu.writeByte(length);
    } else {
      pdu.writeShort(0x8000 | length);
    }
    return tpkt(pdu.writeBytes(data));
  }

  private static ByteBuf berLength(ByteBuf out, int length) {
    return length < 0x80 ? out.writeByte(length) : out.writeByte(0x82).writeShort(length);
  }

  private static ByteBuf tpkt(ByteBuf mcs) {
    return Unpooled.buffer()
        .writeShort(0x0300)
        .writeShort(7 + mcs.readableBytes())
        .writeMedium(0x02F080)
        .writeBytes(mcs);
  }

  private static byte[] hex(String digits) {
    return HexFormat.of().parseHex(digits.replaceAll("\\s", ""));
  }
}
