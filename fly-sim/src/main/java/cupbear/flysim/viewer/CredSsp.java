// SPDX-License-Identifier: Apache-2.0
package cupbear.flysim.viewer;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.time.Instant;
import java.util.HexFormat;
import java.util.random.RandomGenerator;

/**
 * The server's one move in an NLA login: NTLM NEGOTIATE in, CHALLENGE out, as FreeRDP's shadow
 * server was recorded. Nobody can log in this way; the simulated domain has no accounts. Pure.
 */
final class CredSsp {

  private static final byte[] NEGOTIATE = HexFormat.of().parseHex("4e544c4d5353500001000000");
  private static final byte[] HEAD =
      HexFormat.of()
          .parseHex(
              "30819fa003020106a17430723070a06e046c"
                  + "4e544c4d5353500002000000040004003800000015828862");
  private static final int NONCE_OCTETS = 8;
  private static final byte[] NAMES =
      HexFormat.of()
          .parseHex(
              "0000000000000000300030003c0000000601b11d0000000f56004d00"
                  + "0200040056004d000100040056004d000400040076006d000300040076006d0007000800");
  private static final byte[] CLIENT_NONCE = HexFormat.of().parseHex("00000000a5220420");
  private static final int CLIENT_NONCE_OCTETS = 32;

  // Windows counts tenths of microseconds from the year 1601.
  private static final long EPOCH_1601_MS = 11_644_473_600_000L;
  private static final long TICKS_PER_MS = 10_000;

  private CredSsp() {}

  static boolean isNegotiate(ByteBuf tsRequest) {
    return ByteBufUtil.indexOf(Unpooled.wrappedBuffer(NEGOTIATE), tsRequest) >= 0;
  }

  static ByteBuf challenge(RandomGenerator random, Instant now) {
    byte[] nonce = new byte[NONCE_OCTETS];
    byte[] clientNonce = new byte[CLIENT_NONCE_OCTETS];
    random.nextBytes(nonce);
    random.nextBytes(clientNonce);
    return Unpooled.buffer()
        .writeBytes(HEAD)
        .writeBytes(nonce)
        .writeBytes(NAMES)
        .writeLongLE((now.toEpochMilli() + EPOCH_1601_MS) * TICKS_PER_MS)
        .writeBytes(CLIENT_NONCE)
        .writeBytes(clientNonce);
  }
}
