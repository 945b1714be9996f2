// SPDX-License-Identifier: Apache-2.0
package cupbear.flysim.viewer;

import cupbear.flysim.Viewers.Address;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.util.HexFormat;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;

/** A blocking client that knows nothing of Netty: what the server sends is read as it comes. */
final class Peer implements AutoCloseable {

  // A bound for a hanging test, not an expectation.
  private static final int PATIENCE_MS = 20_000;

  private Socket socket;

  private Peer(Socket socket) {
    this.socket = socket;
  }

  static Peer guacd(Address address) throws IOException {
    return connect(address.host(), address.guacdPort());
  }

  static Peer rdp(Address address) throws IOException {
    return connect(address.host(), address.rdpPort());
  }

  static Peer connect(String host, int port) throws IOException {
    Socket socket = new Socket();
    socket.setSoTimeout(PATIENCE_MS);
    socket.setTcpNoDelay(true);
    socket.connect(new InetSocketAddress(host, port), PATIENCE_MS);
    return new Peer(socket);
  }

  /** Whether nothing listens there. */
  static boolean refused(String host, int port) throws IOException {
    try {
      connect(host, port).close();
      return false;
    } catch (ConnectException refused) {
      return true;
    }
  }

  void patience(int millis) throws IOException {
    socket.setSoTimeout(millis);
  }

  void send(byte[] octets) throws IOException {
    socket.getOutputStream().write(octets);
    socket.getOutputStream().flush();
  }

  void say(String text) throws IOException {
    send(text.getBytes(StandardCharsets.UTF_8));
  }

  String hex(int octets) throws IOException {
    byte[] read = socket.getInputStream().readNBytes(octets);
    return HexFormat.of().formatHex(read);
  }

  /** Reads up to and including the next instruction with this opcode. */
  String until(String opcode) throws IOException {
    StringBuilder seen = new StringBuilder();
    String start = opcode.length() + "." + opcode;
    while (true) {
      String one = instruction();
      seen.append(one);
      if (one.startsWith(start) || one.isEmpty()) {
        return seen.toString();
      }
    }
  }

  /** One instruction without ';' inside its values; empty at the end of the stream. */
  String instruction() throws IOException {
    StringBuilder text = new StringBuilder();
    int octet = socket.getInputStream().read();
    while (octet >= 0) {
      text.append((char) octet);
      if (octet == ';') {
        break;
      }
      octet = socket.getInputStream().read();
    }
    return text.toString();
  }

  boolean atEnd() throws IOException {
    return socket.getInputStream().read() < 0;
  }

  X509Certificate startTls() throws IOException, GeneralSecurityException {
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, new TrustManager[] {new TrustAll()}, new SecureRandom());
    SSLSocket tls =
        (SSLSocket) context.getSocketFactory().createSocket(socket, null, socket.getPort(), true);
    tls.startHandshake();
    socket = tls;
    return (X509Certificate) tls.getSession().getPeerCertificates()[0];
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }

  /** Servers are self-signed; who they are is not the question here. */
  private static final class TrustAll extends X509ExtendedTrustManager {
    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) {}

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type) {}

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return new X509Certificate[0];
    }
  }
}
