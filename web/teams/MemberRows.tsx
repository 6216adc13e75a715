import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Camera, EllipsisVertical, Send, X } from 'lucide-react'
import { useState } from 'react'
import type { InvitedPerson } from '#contract/invitations.ts'
import { memberPhotoName } from '#contract/shared/fileRules.ts'
import type { Member, Team } from '#contract/teams.ts'
import type { Person } from '#contract/users.ts'
import { command } from '#web/api/call.ts'
import { useMe } from '#web/api/login.ts'
import { patchList, withoutItem } from '#web/api/patchList.ts'
import { usePhotos } from '#web/api/pictures.ts'
import { teamQuery } from '#web/api/queries.ts'
import { refusalText } from '#web/api/refusalText.ts'
import { invitedQuery, membersQuery } from '#web/api/teamQueries.ts'
import { appText } from '#web/text/app.ts'
import { membersText } from '#web/text/members.ts'
import { IconButton } from '#web/ui/IconButton.tsx'
import { Menu, MenuItem } from '#web/ui/Menu.tsx'
import { NotLoaded } from '#web/ui/NotLoaded.tsx'
import { Rows } from '#web/ui/Rows.tsx'
import { SkeletonRows } from '#web/ui/Skeleton.tsx'
import { useToasts } from '#web/ui/toasts.ts'
import { MemberMenu } from './MemberMenu.tsx'
import { nameOf } from './nameOf.ts'
import { PersonRow } from './PersonRow.tsx'
import { PictureDialog } from './PictureDialog.tsx'
import { useInvite } from './useInvite.ts'

/** All members (first name, last name, email), then the pending invitations. */
export function MemberRows({ teamId }: { teamId: string }) {
  const members = useQuery(membersQuery(teamId))
  const invited = useQuery(invitedQuery(teamId))
  const { data: team } = useQuery(teamQuery(teamId))
  const { id } = useMe()
  const viewer = team?.role === 'viewer'
  const photoOf = usePhotos(teamId)
  const failed = [members, invited].find(({ data, error }) => !data && error)
  if (failed) {
    return <NotLoaded query={failed} failed={membersText.failed} />
  }
  if (!members.data || !invited.data) {
    return <SkeletonRows label={membersText.loading} detailPx={210} />
  }
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
  return member.role === 'viewer' ? membersText.viewer : undefined
}

interface Props {
  teamId: string
  person: InvitedPerson
  /** Without the menu, for a viewer. */
  fixed: boolean
}

/** A person who has been invited to the team and has not responded. */
function InvitedRow({ teamId, person, fixed }: Props) {
  const client = useQueryClient()
  const toasts = useToasts()
  const name = nameOf(person)
  const invite = useInvite(teamId)
  const withdraw = useMutation({
    mutationFn: () => command('teams.withdrawInvitation', { teamId, invitationId: person.id }),
    onMutate: () => toasts.dismiss('withdraw'),
    onSuccess: () => {
      patchList(client, invitedQuery(teamId).queryKey, list => withoutItem(list, person.id))
      toasts.success(appText.success, membersText.withdrawn(name))
    },
    onError: reason => {
      toasts.error(membersText.withdrawFailed, refusalText(reason), 'withdraw')
      // The invitation may have been accepted or declined in between.
      void client.invalidateQueries({ queryKey: invitedQuery(teamId).queryKey })
    },
  })
  const { firstName, lastName, email } = person
  return (
    <PersonRow
      person={person}
      tag={membersText.waiting}
      action={
        !fixed && (
          <Menu
            place="row"
            label={membersText.actions(name)}
            button={<EllipsisVertical aria-hidden />}
            title={name}
            detail={email}
          >
            <MenuItem
              icon={<Send aria-hidden />}
              onChoose={() => invite.mutate({ firstName, lastName, email })}
            >
              {membersText.sendAgain}
            </MenuItem>
            <MenuItem icon={<X aria-hidden />} onChoose={() => withdraw.mutate()}>
              {membersText.withdraw}
            </MenuItem>
          </Menu>
        )
      }
    />
  )
}

interface OwnPhotoProps {
  teamId: string
  member: Person
  /** URL of the photo, if there is one. */
  photo: string | undefined
}

/** The user's own photo in a team. Nobody else can change it. */
function OwnPhoto({ teamId, member, photo }: OwnPhotoProps) {
  const [open, setOpen] = useState(false)
  const { id, firstName, lastName, email } = member
  return (
    <>
      <IconButton
        label={membersText.photo}
        icon={<Camera aria-hidden />}
        onPress={() => setOpen(true)}
      />
      <PictureDialog
        open={open}
        title={membersText.photo}
        text={membersText.photoShown}
        file={{ teamId, name: memberPhotoName(id) }}
        plate={{ name: lastName ?? firstName ?? email ?? '', quiet: true }}
        current={photo}
        onClose={() => setOpen(false)}
      />
    </>
  )
}
