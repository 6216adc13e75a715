import { useMutation } from '@tanstack/react-query'
import type { InputOf } from '#contract/api.ts'
import { command } from '#web/api/call.ts'
import { refusalText } from '#web/api/refusalText.ts'
import { membersText } from '#web/text/members.ts'
import { useToasts } from '#web/ui/toasts.ts'

export type NewInvitation = Omit<InputOf<'teams.invite'>, 'teamId'>

interface Options {
  onInvited?: () => unknown
  /** Returns true if it shows the refusal elsewhere, such as at a field. */
  showRefusal?: (reason: Error) => boolean
}

/** Invites a person, or repeats their invitation, and shows the result as a toast. */
export function useInvite(teamId: string, { onInvited, showRefusal }: Options = {}) {
  const toasts = useToasts()
  return useMutation({
    mutationFn: (invitation: NewInvitation) => command('teams.invite', { teamId, ...invitation }),
    onMutate: () => toasts.dismiss('invite'),
    onSuccess: async ({ firstName, lastName, mailed }) => {
      const name = `${firstName} ${lastName}`
      if (mailed) toasts.success(membersText.invited, membersText.invitedText(name))
      else toasts.error(membersText.notMailed, membersText.notMailedText(name))
      await onInvited?.()
    },
    onError: reason => {
      if (showRefusal?.(reason)) return
      toasts.error(membersText.inviteFailed, refusalText(reason), 'invite')
    },
  })
}
