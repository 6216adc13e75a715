import { useMutation, useQueryClient } from '@tanstack/react-query'
import { EllipsisVertical, UserMinus } from 'lucide-react'
import { useState } from 'react'
import type { Person } from '#contract/users.ts'
import { command } from '#web/api/call.ts'
import { patchList, withoutItem } from '#web/api/patchList.ts'
import { refusalText } from '#web/api/refusals/refusalText.ts'
import { membersQuery } from '#web/api/teamQueries.ts'
import { appText } from '#web/text/app.ts'
import { membersText } from '#web/text/members.ts'
import { ConfirmDialog } from '#web/ui/overlays/Dialog.tsx'
import { Menu, MenuItem } from '#web/ui/overlays/Menu.tsx'
import { useToasts } from '#web/ui/overlays/toasts.ts'
import { nameOf } from './nameOf.ts'

/** The owner's menu for another member. */
export function RemoveMember({ teamId, member }: { teamId: string; member: Person }) {
  const client = useQueryClient()
  const toasts = useToasts()
  const [confirming, setConfirming] = useState(false)
  const name = nameOf(member)
  const remove = useMutation({
    mutationFn: () => command('teams.removeMember', { teamId, userId: member.id }),
    onMutate: () => toasts.dismiss('remove-member'),
    onSuccess: () => {
      patchList(client, membersQuery(teamId).queryKey, members => withoutItem(members, member.id))
      toasts.success(appText.success, membersText.removed(name))
    },
    onError: reason => toasts.error(membersText.removeFailed, refusalText(reason), 'remove-member'),
  })
  function confirm() {
    setConfirming(false)
    remove.mutate()
  }
  return (
    <>
      <Menu
        place="row"
        label={membersText.actions(name)}
        button={<EllipsisVertical aria-hidden />}
        title={name}
        {...(member.email !== null && member.email !== name && { detail: member.email })}
      >
        <MenuItem icon={<UserMinus aria-hidden />} onChoose={() => setConfirming(true)}>
          {membersText.removeMember}
        </MenuItem>
      </Menu>
      <ConfirmDialog
        open={confirming}
        title={membersText.removeTitle(name)}
        text={membersText.removeText}
        cancelLabel={membersText.keepMember}
        confirmLabel={membersText.removeMember}
        onCancel={() => setConfirming(false)}
        onConfirm={confirm}
      />
    </>
  )
}
