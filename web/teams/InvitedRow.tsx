import { useQueryClient } from '@tanstack/react-query'
import { EllipsisVertical, Send, X } from 'lucide-react'
import type { InvitedPerson } from '#contract/invitations.ts'
import { command } from '#web/api/call.ts'
import { patchList, withoutItem } from '#web/api/patchList.ts'
import { invitedQuery } from '#web/api/teamQueries.ts'
import { appText } from '#web/text/app.ts'
import { membersText } from '#web/text/members.ts'
import { Menu, MenuItem } from '#web/ui/Menu.tsx'
import { useToasts } from '#web/ui/toasts.ts'
import { useCommand } from '#web/ui/useCommand.ts'
import { nameOf } from './nameOf.ts'
import { PersonRow } from './PersonRow.tsx'
import { useInvite } from './useInvite.ts'

interface Props {
  teamId: string
  person: InvitedPerson
  /** Without the menu, for a viewer. */
  fixed: boolean
}

/** A person who has been invited to the team and has not responded. */
export function InvitedRow({ teamId, person, fixed }: Props) {
  const client = useQueryClient()
  const toasts = useToasts()
  const name = nameOf(person)
  const invite = useInvite(teamId)
  const withdraw = useCommand({
    send: () => command('teams.withdrawInvitation', { teamId, invitationId: person.id }),
    failed: membersText.withdrawFailed,
    onSuccess: () => {
      patchList(client, invitedQuery(teamId).queryKey, list => withoutItem(list, person.id))
      toasts.success(appText.success, membersText.withdrawn(name))
    },
    // The invitation may have been accepted or declined in between.
    onFailed: () => client.invalidateQueries({ queryKey: invitedQuery(teamId).queryKey }),
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
