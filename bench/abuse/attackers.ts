import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Attack, Attacker, Tally } from './attacks.ts'

/** An attack that continues until it is stopped. */
export interface RunningAttack {
  /** Stops it, and returns its counts. */
  stop(): Promise<Tally>
}

/** Starts an attack in a process of its own. Rejects, as `stop` does, if that process ends by itself. */
export async function attackBy(who: Attacker, attack: Attack): Promise<RunningAttack> {
  const child = fork(join(import.meta.dirname, 'attackerProcess.ts'), {
    execArgv: ['--import', 'tsx'],
  })
  const exited = once(child, 'exit')
  async function ask(message: object | 'tally'): Promise<unknown> {
    const failed = exited.then(([code]) => {
      throw new Error(`The attacker's process ended by itself, with code ${code}`)
    })
    const answered = once(child, 'message')
    if (child.connected) child.send(message)
    const [answer] = await Promise.race([answered, failed])
    return answer
  }
  await ask({ attack, who })
  return {
    async stop() {
      const tally = await ask('tally')
      child.kill('SIGKILL')
      await exited
      return tally as Tally
    },
  }
}
