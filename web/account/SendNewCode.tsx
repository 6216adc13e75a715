import { command } from '#web/api/call.ts'
import { authText } from '#web/text/auth.ts'
import { useToasts } from '#web/ui/toasts.ts'
import { useCommand } from '#web/ui/useCommand.ts'
import { Aside } from './AuthLayout.tsx'

/** Requests another code, when no email arrived or the code has expired. */
export function SendNewCode({ email }: { email: string }) {
  const toasts = useToasts()
  const send = useCommand({
    send: () => command('auth.sendCode', { email }),
    failed: authText.newCodeFailed,
    onSuccess: () => toasts.success(authText.newCodeTitle, authText.newCodeSent(email)),
  })
  return (
    <Aside>
      {authText.codeNotThere}{' '}
      <button
        type="button"
        aria-busy={send.isPending || undefined}
        onClick={() => !send.isPending && send.mutate()}
      >
        {authText.sendNewCode}
      </button>
    </Aside>
  )
}
