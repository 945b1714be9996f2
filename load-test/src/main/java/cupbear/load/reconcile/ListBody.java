// SPDX-License-Identifier: Apache-2.0
package cupbear.load.reconcile;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** An answer of Fly's list, as large as real ones are: some 1.9 KB for each Machine. */
final class ListBody {
  static final String MANAGED_BY = "cupbear/bench";

  private static final int ABOUT_EACH = 2_000;
  private static final int IMAGE = 0x7c1e;

  private ListBody() {}

  static byte[] of(int machines) {
    ByteArrayOutputStream body = new ByteArrayOutputStream(2 + machines * ABOUT_EACH);
    body.write('[');
    for (int i = 0; i < machines; i++) {
      if (i > 0) body.write(',');
      body.writeBytes(machine(i).getBytes(StandardCharsets.UTF_8));
    }
    body.write(']');
    return body.toByteArray();
  }

  /** What differs between Machines: id, number, and an address that goes with the number. */
  private static String machine(int number) {
    String id = Fleet.id(number).value();
    return String.format(
        Locale.ROOT,
        """
        {"id":"%1$s","name":"viewers-iad-7-%2$06d","state":"started","region":"iad",\
        "image_ref":{"registry":"registry.example","repository":"cupbear-viewer","tag":"",\
        "digest":"sha256:%3$064x","labels":{"org.opencontainers.image.source":"viewer"}},\
        "instance_id":"01J9ZK3M8Q4R5S6T7V%2$08d","private_ip":"fdaa:9:d844:a7b:e:%4$x:%5$x:2",\
        "created_at":"2026-11-18T10:00:00Z","updated_at":"2026-11-18T10:00:12Z",\
        "config":{"env":{"POOL_REGION":"iad","GUACD_BIND":"fly-local-6pn","LOG_LEVEL":"info"},\
        "init":{},"guest":{"cpu_kind":"shared","cpus":2,"memory_mb":2048},"metadata":{\
        "app":"cupbear-viewer","role":"warm-pool","pool":"viewers","region":"iad","state":"warm",\
        "template_version":"7","keep":"always","managed_by":"cupbear/bench"},\
        "image":"registry.example/cupbear-viewer@sha256:%3$064x","restart":{"policy":"always"},\
        "stop_config":{"signal":"SIGTERM","timeout":"20s"},"auto_destroy":false,"dns":{},\
        "checks":{"guacd":{"type":"tcp","port":4822,"interval":"10s","timeout":"2s",\
        "grace_period":"30s"}}},"events":[\
        {"id":"01J9ZK3M8Q4R5S6T7VE%2$07d","type":"start","status":"started","source":"flyd",\
        "timestamp":1795000012000},\
        {"id":"01J9ZK3M8Q4R5S6T7VD%2$07d","type":"start","status":"starting","source":"user",\
        "timestamp":1795000010000},\
        {"id":"01J9ZK3M8Q4R5S6T7VC%2$07d","type":"exit","status":"stopped","source":"flyd",\
        "timestamp":1795000005000,"request":{"exit_event":{"requested_stop":true,"exit_code":0,\
        "guest_exit_code":0,"signal":15,"oom_killed":false,"exited_at":"2026-11-18T09:59:00Z"}}},\
        {"id":"01J9ZK3M8Q4R5S6T7VA%2$07d","type":"launch","status":"created","source":"user",\
        "timestamp":1795000000000}],\
        "checks":[{"name":"guacd","status":"passing","output":"Success",\
        "updated_at":"2026-11-18T10:00:12Z"}],"host_status":"ok","cordoned":false}\
        """,
        id,
        number,
        IMAGE,
        number >> 16,
        number & 0xffff);
  }
}
