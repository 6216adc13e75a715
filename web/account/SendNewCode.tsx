import { useMutation } from '@tanstack/react-query'
import { command } from '#web/api/call.ts'
import { refusalText } from '#web/api/refusalText.ts'
import { authText } from '#web/text/auth.ts'
import { useToasts } from '#web/ui/toasts.ts'
import { Aside } from './AuthLayout.tsx'

/** Requests another code, when no email arrived or the code has expired. */
export function SendNewCode({ email }: { email: string }) {
  const toasts = useToasts()
  const send = useMutation({
    mutationFn: () => command('auth.sendCode', { email }),
    onMutate: () => toasts.dismiss('new-code'),
    onSuccess: () => toasts.success(authText.newCodeTitle, authText.newCodeSent(email)),
    onError: reason => toasts.error(authText.newCodeFailed, refusalText(reason), 'new-code'),
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
