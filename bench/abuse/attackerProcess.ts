// Runs the attacker in a separate process, so that its work does not delay the measured clients.
import { type Attack, type Attacker, startAttack, type Tally } from './attacks.ts'

const tally: Tally = { sent: 0, refused: 0, failed: 0, closed: 0 }

process.once('message', ({ attack, who }: { attack: Attack; who: Attacker }) => {
  startAttack(attack, who, tally)
  process.send?.('started')
  process.on('message', () => process.send?.(tally))
})
process.once('disconnect', () => process.exit())
