// SPDX-License-Identifier: Apache-2.0
package cupbear.scheduler.port;

import cupbear.redis.LocalRedis;
import cupbear.redis.testing.RedisExtension;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.extension.ExtendWith;

/** The store on a real Redis keeps every contract that the store without wires keeps. */
@ExtendWith(RedisExtension.class)
class RedisStoreIT {
  private final LocalRedis redis;

  RedisStoreIT(LocalRedis redis) {
    this.redis = redis;
  }

  @Nested
  class KeepsClaims extends ClaimsContract {
    @Override
    StoreFixture open() {
      return new RedisFixture(redis);
    }
  }

  @Nested
  class KeepsWaiting extends WaitingContract {
    @Override
    StoreFixture open() {
      return new RedisFixture(redis);
    }
  }

  @Nested
  class KeepsSessions extends SessionsContract {
    @Override
    StoreFixture open() {
      return new RedisFixture(redis);
    }
  }

  @Nested
  class KeepsBook extends BookContract {
    @Override
    StoreFixture open() {
      return new RedisFixture(redis);
    }
  }

  @Nested
  class KeepsMarks extends MarksContract {
    @Override
    StoreFixture open() {
      return new RedisFixture(redis);
    }
  }

  @Nested
  class KeepsLosing extends LosingContract {
    @Override
    StoreFixture open() {
      return new RedisFixture(redis);
    }
  }

  @Nested
  class KeepsRecovery extends RecoveryContract {
    @Override
    StoreFixture open() {
      return new RedisFixture(redis);
    }
  }

  @Nested
  class KeepsRebuilding extends RebuildingContract {
    @Override
    StoreFixture open() {
      return new RedisFixture(redis);
    }
  }

  @Nested
  class KeepsLeadership extends LeadershipContract {
    @Override
    StoreFixture open() {
      return new RedisFixture(redis);
    }
  }

  @Nested
  class KeepsJournal extends JournalContract {
    @Override
    StoreFixture open() {
      return new RedisFixture(redis);
    }
  }
}
