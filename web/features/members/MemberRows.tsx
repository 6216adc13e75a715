import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { Person } from '#contract/users.ts'
import { useMe } from '#web/api/login.ts'
import { usePhotos } from '#web/api/pictures.ts'
import { membersQuery } from '#web/api/queries.ts'
import { refusalText } from '#web/api/refusalText.ts'
import { appText } from '#web/text/app.ts'
import { membersText } from '#web/text/members.ts'
import { LoadFailed } from '#web/ui/LoadFailed.tsx'
import { Row, Rows } from '#web/ui/Rows.tsx'
import { SkeletonRows } from '#web/ui/Skeleton.tsx'
import { ThreeLetterPlate } from '#web/ui/ThreeLetterPlate.tsx'
import { OwnPhoto } from './OwnPhoto.tsx'

/** Everyone in the team: first name, last name, e-mail. */
export function MemberRows({ teamId }: { teamId: string }) {
  const { data: members, error, isFetching, refetch } = useQuery(membersQuery(teamId))
  const { id } = useMe()
  const photoOf = usePhotos(teamId)
  if (!members && error) {
    return (
      <LoadFailed
        title={membersText.failed}
        message={refusalText(error)}
        retryLabel={appText.tryAgain}
        retrying={isFetching}
        onRetry={() => void refetch()}
      />
    )
  }
  if (!members) return <SkeletonRows label={membersText.loading} detailPx={210} />
  return (
    <Rows labelledBy="members">
      {members.map(member => (
        <MemberRow
          key={member.id}
          member={member}
          photo={photoOf(member.id)}
          {...(member.id === id && {
            action: <OwnPhoto teamId={teamId} member={member} photo={photoOf(id)} />,
          })}
        />
      ))}
    </Rows>
  )
}

interface RowProps {
  member: Person
  photo: string | undefined
  /** What this member may do here. */
  action?: ReactNode
}

function MemberRow({ member: { firstName, lastName, email }, photo, action }: RowProps) {
  const name = [firstName, lastName].filter(Boolean).join(' ')
  return (
    <Row
      plate={<ThreeLetterPlate name={lastName ?? firstName ?? email ?? ''} quiet picture={photo} />}
      title={name || email}
      detail={name && email}
      action={action}
    />
  )
}
