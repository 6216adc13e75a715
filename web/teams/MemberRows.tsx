import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Camera, Crown, EllipsisVertical, Eye, Send, UserMinus } from 'lucide-react'
import { useState } from 'react'
import { memberPhotoName } from '#contract/shared/fileRules.ts'
import type { Member, Team, TeamRole } from '#contract/teams.ts'
import type { Person } from '#contract/users.ts'
import { command } from '#web/api/call.ts'
import { useMe } from '#web/api/login.ts'
import { patchList, withoutItem } from '#web/api/patchList.ts'
import { teamQuery } from '#web/api/queries.ts'
import { invitedQuery, membersQuery } from '#web/api/teamQueries.ts'
import { appText } from '#web/text/app.ts'
import { joinText } from '#web/text/join.ts'
import { membersText } from '#web/text/members.ts'
import { ConfirmDialog } from '#web/ui/Dialog.tsx'
import { IconButton } from '#web/ui/IconButton.tsx'
import { Menu, MenuItem } from '#web/ui/Menu.tsx'
import { NotLoaded } from '#web/ui/NotLoaded.tsx'
import { Rows } from '#web/ui/Rows.tsx'
import { useToasts } from '#web/ui/toasts.ts'
import { useCommand } from '#web/ui/useCommand.ts'
import { useConfirmation } from '#web/ui/useConfirmation.ts'
import { InvitedRow } from './InvitedRow.tsx'
import { nameOf } from './nameOf.ts'
import { PersonRow } from './PersonRow.tsx'
import { PictureDialog } from './PictureDialog.tsx'
import { usePhotos } from './usePhotos.ts'

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

/** The owner's menu for another member: role, handing the team over, removal. */
function MemberMenu({ teamId, member }: { teamId: string; member: Member }) {
  const name = nameOf(member)
  const setRole = useSetRole(teamId, member)
  const handOver = useConfirmation(() => setRole('owner'))
  const removal = useConfirmation(useRemove(teamId, member))
  return (
    <>
      <Menu
        place="row"
        label={membersText.actions(name)}
        button={<EllipsisVertical aria-hidden />}
        title={name}
        {...(member.email !== null && member.email !== name && { detail: member.email })}
      >
        {member.role === 'viewer' ? (
          <MenuItem icon={<Send aria-hidden />} onChoose={() => setRole('member')}>
            {membersText.makeMember}
          </MenuItem>
        ) : (
          <MenuItem icon={<Eye aria-hidden />} onChoose={() => setRole('viewer')}>
            {membersText.makeViewer}
          </MenuItem>
        )}
        <MenuItem icon={<Crown aria-hidden />} onChoose={handOver.ask}>
          {membersText.handOver}
        </MenuItem>
        <MenuItem icon={<UserMinus aria-hidden />} onChoose={removal.ask}>
          {membersText.removeMember}
        </MenuItem>
      </Menu>
      <ConfirmDialog
        {...handOver.dialog}
        title={membersText.handOverTitle(name)}
        text={membersText.handOverText}
        cancelLabel={membersText.keepOwnership}
        confirmLabel={membersText.handOver}
      />
      <ConfirmDialog
        {...removal.dialog}
        title={membersText.removeTitle(name)}
        text={membersText.removeText}
        cancelLabel={membersText.keepMember}
        confirmLabel={membersText.removeMember}
      />
    </>
  )
}

function useSetRole(teamId: string, member: Member): (role: TeamRole) => void {
  const client = useQueryClient()
  const toasts = useToasts()
  const name = nameOf(member)
  const { mutate } = useCommand({
    send: (role: TeamRole) => command('teams.setRole', { teamId, userId: member.id, role }),
    failed: membersText.roleFailed,
    onSuccess: (changed, role) => {
      patchList(client, membersQuery(teamId).queryKey, list =>
        list.map(each => (each.id === changed.id ? changed : each)),
      )
      void client.invalidateQueries({ queryKey: teamQuery(teamId).queryKey })
      toasts.success(appText.success, membersText.roleChanged[role](name))
    },
  })
  return mutate
}

function useRemove(teamId: string, member: Member): () => void {
  const client = useQueryClient()
  const toasts = useToasts()
  const { mutate } = useCommand({
    send: () => command('teams.removeMember', { teamId, userId: member.id }),
    failed: membersText.removeFailed,
    onSuccess: () => {
      patchList(client, membersQuery(teamId).queryKey, list => withoutItem(list, member.id))
      toasts.success(appText.success, membersText.removed(nameOf(member)))
    },
  })
  return mutate
}
