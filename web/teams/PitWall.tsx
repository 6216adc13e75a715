import type { UserId } from '#contract/ids.ts'
import { usePhotos } from '#web/api/pictures.ts'
import { useOthers } from '#web/api/useOthers.ts'
import { personName, personPlateName } from '#web/race/driverName.ts'
import { teamsText } from '#web/text/teams.ts'
import { SectionHead } from '#web/ui/PageHead.tsx'
import { Row, Rows } from '#web/ui/Rows.tsx'
import { SkeletonRows } from '#web/ui/Skeleton.tsx'
import { ThreeLetterPlate } from '#web/ui/ThreeLetterPlate.tsx'
import typography from '#web/ui/theme/typography.module.css'
import styles from './TeamHomeScreen.module.css'

interface Props {
  teamId: string
  /** The users with an open page of the team; null while loading. */
  watching: readonly UserId[] | null
}

/** The other members who have a page of the team or of one of its sessions open. */
export function PitWall({ teamId, watching }: Props) {
  return (
    <section className={styles.wall} aria-labelledby="wall">
      <SectionHead id="wall" title={teamsText.pitWall} />
      {watching ? (
        <OtherRows teamId={teamId} watching={watching} />
      ) : (
        <SkeletonRows label={teamsText.loadingPitWall} />
      )}
    </section>
  )
}

function OtherRows({ teamId, watching }: { teamId: string; watching: readonly UserId[] }) {
  const others = useOthers(teamId, watching)
  const photoOf = usePhotos(teamId)
  if (others.length === 0) return <p className={typography.sub}>{teamsText.nobodyElse}</p>
  return (
    <Rows labelledBy="wall">
      {others.map(person => (
        <Row
          key={person.id}
          plate={
            <ThreeLetterPlate name={personPlateName(person)} quiet picture={photoOf(person.id)} />
          }
          title={personName(person)}
        />
      ))}
    </Rows>
  )
}
