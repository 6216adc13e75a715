import { useMutation } from '@tanstack/react-query'
import { command } from '#web/api/call.ts'
import { refusalText } from '#web/api/refusalText.ts'
import { en } from '#web/text/en.ts'
import { useToasts } from '#web/ui/toasts.ts'
import { Aside } from './AuthLayout.tsx'

/** For whom no email came, or whose code is too old by now. */
export function SendNewCode({ email }: { email: string }) {
  const toasts = useToasts()
  const send = useMutation({
    mutationFn: () => command('auth.sendCode', { email }),
    onMutate: () => toasts.dismiss('new-code'),
    onSuccess: () => toasts.success(en.auth.newCodeTitle, en.auth.newCodeSent(email)),
    onError: reason => toasts.error(en.auth.newCodeFailed, refusalText(reason), 'new-code'),
  })
  return (
    <Aside>
      {en.auth.codeNotThere}{' '}
      <button
        type="button"
        aria-busy={send.isPending || undefined}
        onClick={() => !send.isPending && send.mutate()}
      >
        {en.auth.sendNewCode}
      </button>
    </Aside>
  )
}
