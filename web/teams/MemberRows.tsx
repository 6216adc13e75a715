import { useQuery } from '@tanstack/react-query'
import { Camera } from 'lucide-react'
import { useState } from 'react'
import { memberPhotoName } from '#contract/shared/fileRules.ts'
import type { Member, Team } from '#contract/teams.ts'
import type { Person } from '#contract/users.ts'
import { useMe } from '#web/api/login.ts'
import { usePhotos } from '#web/api/pictures.ts'
import { teamQuery } from '#web/api/queries.ts'
import { invitedQuery, membersQuery } from '#web/api/teamQueries.ts'
import { joinText } from '#web/text/join.ts'
import { membersText } from '#web/text/members.ts'
import { IconButton } from '#web/ui/IconButton.tsx'
import { NotLoaded } from '#web/ui/NotLoaded.tsx'
import { Rows } from '#web/ui/Rows.tsx'
import { InvitedRow } from './InvitedRow.tsx'
import { MemberMenu } from './MemberMenu.tsx'
import { PersonRow } from './PersonRow.tsx'
import { PictureDialog } from './PictureDialog.tsx'

/** All members (first name, last name, email), then the pending invitations. */
export function MemberRows({ teamId }: { teamId: string }) {
  const members = useQuery(membersQuery(teamId))
  const invited = useQuery(invitedQuery(teamId))
  const { data: team } = useQuery(teamQuery(teamId))
  const { id } = useMe()
  const viewer = team?.role === 'viewer'
  const photoOf = usePhotos(teamId)
  const failed = [members, invited].find(({ data, error }) => !data && error)
  if (!members.data || !invited.data)
    return (
      <NotLoaded
        query={failed ?? members}
        loading={membersText.loading}
        failed={membersText.failed}
        detailPx={210}
      />
    )
  return (
    <Rows labelledBy="members">
      {members.data.map(member => (
        <PersonRow
          key={member.id}
          person={member}
          photo={photoOf(member.id)}
          tag={tagOf(member, team)}
          action={
            member.id === id ? (
              !viewer && <OwnPhoto teamId={teamId} member={member} photo={photoOf(id)} />
            ) : team?.ownerId === id ? (
              <MemberMenu teamId={teamId} member={member} />
            ) : undefined
          }
        />
      ))}
      {invited.data.map(person => (
        <InvitedRow key={person.id} teamId={teamId} person={person} fixed={viewer} />
      ))}
    </Rows>
  )
}

function tagOf(member: Member, team: Team | undefined): string | undefined {
  if (member.id === team?.ownerId) return membersText.owner
  if (member.role === 'viewer') return membersText.viewer
  return member.email === null ? joinText.noEmailTag : undefined
}

interface Props {
  teamId: string
  member: Person
  /** URL of the photo, if there is one. */
  photo: string | undefined
}

/** The user's own photo in a team. Nobody else can change it. */
function OwnPhoto({ teamId, member, photo }: Props) {
  const [open, setOpen] = useState(false)
  const { id, firstName, lastName, email } = member
  return (
    <>
      <IconButton
        label={membersText.photo}
        icon={<Camera aria-hidden />}
        onPress={() => setOpen(true)}
      />
      {open && (
        <PictureDialog
          title={membersText.photo}
          text={membersText.photoShown}
          file={{ teamId, name: memberPhotoName(id) }}
          plate={{ name: lastName ?? firstName ?? email ?? '', quiet: true }}
          current={photo}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  )
}
