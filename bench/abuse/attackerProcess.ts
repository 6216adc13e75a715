// The attacker: a process of its own, so that its work does not delay what is measured.
import { type Attack, type Attacker, startAttack, type Tally } from './attacks.ts'

const tally: Tally = { sent: 0, refused: 0, closed: 0 }

process.once('message', ({ attack, who }: { attack: Attack; who: Attacker }) => {
  startAttack(attack, who, tally)
  process.send?.('started')
  process.on('message', () => process.send?.(tally))
})
process.once('disconnect', () => process.exit())
