import { useQueryClient } from '@tanstack/react-query'
import { Crown, EllipsisVertical, Eye, Send, UserMinus } from 'lucide-react'
import type { Member, TeamRole } from '#contract/teams.ts'
import { command } from '#web/api/call.ts'
import { patchList, withoutItem } from '#web/api/patchList.ts'
import { teamQuery } from '#web/api/queries.ts'
import { membersQuery } from '#web/api/teamQueries.ts'
import { appText } from '#web/text/app.ts'
import { membersText } from '#web/text/members.ts'
import { ConfirmDialog } from '#web/ui/Dialog.tsx'
import { Menu, MenuItem } from '#web/ui/Menu.tsx'
import { useToasts } from '#web/ui/toasts.ts'
import { useCommand } from '#web/ui/useCommand.ts'
import { useConfirmation } from '#web/ui/useConfirmation.ts'
import { nameOf } from './nameOf.ts'

/** The owner's menu for another member: role, handing the team over, removal. */
export function MemberMenu({ teamId, member }: { teamId: string; member: Member }) {
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
