import { useMutation } from '@tanstack/react-query'
import type { UseFormSetError } from 'react-hook-form'
import { useNavigate, useSearchParams } from 'react-router'
import type { InputOf } from '#contract/api.ts'
import { command } from '#web/api/call.ts'
import { refusalText } from '#web/api/refusalText.ts'
import { showRefusedFields } from '#web/api/showRefusedFields.ts'
import { appText } from '#web/text/app.ts'
import { useToasts } from '#web/ui/toasts.ts'
import { withEmail } from './authPaths.ts'

type Input = InputOf<'auth.sendCode'>

/**
 * Requests a code by email, then opens the screen to enter it. The form keeps its values if the server
 * refuses.
 */
export function useSendCode<Values extends Input>(
  setError: UseFormSetError<Values>,
  names: Parameters<typeof showRefusedFields<Values>>[1],
) {
  const toasts = useToasts()
  const navigate = useNavigate()
  const [search] = useSearchParams()
  return useMutation({
    mutationFn: (input: Input) => command('auth.sendCode', input),
    onMutate: () => toasts.dismiss('sign-in'),
    onSuccess: ({ email }) => navigate(withEmail('/auth/confirm-otp', email, search)),
    onError: reason => {
      showRefusedFields(reason, names, setError)
      toasts.error(appText.error, refusalText(reason), 'sign-in')
    },
  })
}
