import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Attack, Attacker, Tally } from './attacks.ts'

/** An attack that continues until it is stopped. */
export interface RunningAttack {
  /** Stops it, and returns its counts. */
  stop(): Promise<Tally>
}

export async function attackBy(who: Attacker, attack: Attack): Promise<RunningAttack> {
  const child = fork(join(import.meta.dirname, 'attackerProcess.ts'))
  child.send({ attack, who })
  await once(child, 'message')
  return {
    async stop() {
      const answered = once(child, 'message')
      child.send('tally')
      const [tally] = (await answered) as [Tally]
      const exited = once(child, 'exit')
      child.kill('SIGKILL')
      await exited
      return tally
    },
  }
}
