import { ProposedDriver } from '#web/race/ProposedDriver.tsx'
import { laneName } from './laneName.ts'
import type { CarLane } from './useLanes.ts'
import styles from './WallProposals.module.css'

/** The driver changes that are proposed for the cars in the pits. */
export function WallProposals({ lanes }: { lanes: readonly CarLane[] }) {
  return (
    <div className={styles.proposals}>
      {lanes.map(({ id, session, race, table }) =>
        table ? (
          <ProposedDriver key={id} session={session} race={race} car={laneName(session).plate} />
        ) : null,
      )}
    </div>
  )
}
