// SPDX-License-Identifier: Apache-2.0
package cupbear.probe;

import cupbear.probe.bench.SelfSigned;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;

/**
 * A server on a real socket that does to every connection what the test says, with blocking streams
 * and none of the probe's own code.
 */
final class FaultyServer implements AutoCloseable {

  /** What the server does to one connection; it is closed afterwards. */
  interface Behaviour {
    void on(Connection connection) throws IOException, InterruptedException;
  }

  static final String CONFIRM_TLS = "030000130ed000001234000201080001000000";
  static final String CONFIRM_HYBRID = "030000130ed000001234000201080002000000";

  private static final class Tls {
    private static final KeyStore STORE = store();
    private static final SSLContext CONTEXT = context(STORE);
  }

  private final ServerSocket listening;
  private final List<Socket> connections = new CopyOnWriteArrayList<>();
  private final CountDownLatch closing = new CountDownLatch(1);

  private FaultyServer(int backlog) throws IOException {
    listening = new ServerSocket(0, backlog, InetAddress.getLoopbackAddress());
  }

  static FaultyServer start(Behaviour behaviour) throws IOException {
    FaultyServer server = new FaultyServer(64);
    Thread.ofVirtual().start(() -> server.accept(behaviour));
    return server;
  }

  /** Listens, accepts nothing, and has no room left in its queue. */
  static FaultyServer full() throws IOException {
    FaultyServer server = new FaultyServer(1);
    for (int i = 0; i < 8; i++) {
      Socket filler = new Socket();
      server.connections.add(filler);
      try {
        filler.connect(server.address(), 300);
      } catch (SocketTimeoutException full) {
        return server;
      }
    }
    throw new IOException("the accept queue would not fill up");
  }

  /** A port where nothing listens. */
  static InetSocketAddress closedPort() throws IOException {
    try (ServerSocket gone = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return (InetSocketAddress) gone.getLocalSocketAddress();
    }
  }

  InetSocketAddress address() {
    return (InetSocketAddress) listening.getLocalSocketAddress();
  }

  static CertificatePin certificate() {
    try {
      return CertificatePin.of(Tls.STORE.getCertificate(SelfSigned.ALIAS).getEncoded());
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private void accept(Behaviour behaviour) {
    while (true) {
      try {
        Socket socket = listening.accept();
        connections.add(socket);
        Thread.ofVirtual().start(() -> serve(socket, behaviour));
      } catch (IOException closed) {
        return;
      }
    }
  }

  private void serve(Socket socket, Behaviour behaviour) {
    try (socket) {
      behaviour.on(new Connection(socket));
    } catch (IOException | InterruptedException e) {
      // The probe went away first, as it may.
    }
  }

  @Override
  public void close() throws IOException {
    closing.countDown();
    listening.close();
    for (Socket socket : connections) socket.close();
  }

  /** One connection, seen from the server. */
  final class Connection {
    private Socket socket;

    private Connection(Socket socket) {
      this.socket = socket;
    }

    void send(String hex) throws IOException {
      sendOctets(HexFormat.of().parseHex(hex));
    }

    void say(String text) throws IOException {
      sendOctets(text.getBytes(StandardCharsets.UTF_8));
    }

    private void sendOctets(byte[] octets) throws IOException {
      socket.getOutputStream().write(octets);
      socket.getOutputStream().flush();
    }

    Connection read(int octets) throws IOException {
      byte[] read = socket.getInputStream().readNBytes(octets);
      if (read.length < octets) throw new IOException("the probe hung up");
      return this;
    }

    /** A whole TLS record, so that nothing of it is left to cause a reset. */
    void readHello() throws IOException {
      byte[] head = socket.getInputStream().readNBytes(5);
      if (head.length < 5) throw new IOException("the probe hung up");
      read((head[3] & 0xFF) << 8 | (head[4] & 0xFF));
    }

    void silence() throws InterruptedException {
      closing.await();
    }

    void reset() throws IOException {
      socket.setSoLinger(true, 0);
      socket.close();
    }

    void startTls() throws IOException {
      SSLSocket tls =
          (SSLSocket)
              Tls.CONTEXT.getSocketFactory().createSocket(socket, null, socket.getPort(), true);
      tls.setUseClientMode(false);
      tls.startHandshake();
      socket = tls;
    }

    /** Up to the MCS connect request, which is read but not answered. */
    Connection secured() throws IOException {
      read(19).send(CONFIRM_TLS);
      startTls();
      return read(386);
    }

    /** Up to the attach-user request. */
    Connection connected() throws IOException {
      secured().send(HexFormat.of().formatHex(Fixture.octets("xrdp10-req3", 4)));
      return read(20);
    }

    /** Up to the Client Info. */
    Connection loggingIn() throws IOException {
      connected().send("0300000b02f0802e000003");
      read(12).send("0300000f02f0803e00000303ec03ec");
      read(12).send("0300000f02f0803e00000303eb03eb");
      return read(247);
    }
  }

  private static KeyStore store() {
    try {
      return SelfSigned.make();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static SSLContext context(KeyStore store) {
    try {
      KeyManagerFactory keys =
          KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
      keys.init(store, SelfSigned.password());
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(keys.getKeyManagers(), null, null);
      return context;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }
}
