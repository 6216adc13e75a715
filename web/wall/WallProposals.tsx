import type { Session } from '#contract/sessions.ts'
import { ProposedDriver } from '#web/race/ProposedDriver.tsx'
import { useLaps } from '#web/race/useLaps.ts'
import { laneName } from './laneName.ts'
import { useLaneRace } from './useLaneRace.ts'
import styles from './WallProposals.module.css'

/** The driver changes that are proposed for the cars in the pits. */
export function WallProposals({ lanes }: { lanes: readonly Session[] }) {
  return (
    <div className={styles.proposals}>
      {lanes.map(session => (
        <CarProposal key={session.id} session={session} />
      ))}
    </div>
  )
}

function CarProposal({ session }: { session: Session }) {
  const race = useLaneRace(session.id)
  const { data: table } = useLaps(session.id)
  if (!table) return null
  return (
    <ProposedDriver session={session} race={race} laps={table.laps} car={laneName(session).plate} />
  )
}
