// SPDX-License-Identifier: Apache-2.0
package cupbear.flysim.viewer;

import java.util.List;

/** The arguments that guacd 1.6.0 asks for when RDP is selected, in its order. */
final class GuacArguments {

  private static final List<String> NAMES =
      List.of(
          """
          VERSION_1_5_0 hostname port timeout domain username password width height dpi
          initial-program color-depth disable-audio enable-printing printer-name enable-drive
          drive-name drive-path create-drive-path disable-download disable-upload console
          console-audio server-layout security ignore-cert cert-tofu cert-fingerprints
          disable-auth remote-app remote-app-dir remote-app-args static-channels client-name
          enable-wallpaper enable-theming enable-font-smoothing enable-full-window-drag
          enable-desktop-composition enable-menu-animations disable-bitmap-caching
          disable-offscreen-caching disable-glyph-caching disable-gfx preconnection-id
          preconnection-blob timezone recording-path recording-name recording-exclude-output
          recording-exclude-mouse recording-exclude-touch recording-include-keys
          create-recording-path recording-write-existing resize-method enable-audio-input
          enable-touch read-only gateway-hostname gateway-port gateway-domain gateway-username
          gateway-password load-balance-info disable-copy disable-paste wol-send-packet
          wol-mac-addr wol-broadcast-addr wol-udp-port wol-wait-time force-lossless
          normalize-clipboard
          """
              .trim()
              .split("\\s+"));

  private final List<String> values;

  private GuacArguments(List<String> values) {
    this.values = values;
  }

  static GuacInstruction request() {
    return new GuacInstruction("args", NAMES);
  }

  /** Whether a {@code connect} carries one value per argument; guacd gives up on any other. */
  static boolean fit(GuacInstruction connect) {
    return connect.args().size() == NAMES.size();
  }

  static GuacArguments of(GuacInstruction connect) {
    return new GuacArguments(connect.args());
  }

  String value(String name) {
    return values.get(NAMES.indexOf(name));
  }
}
