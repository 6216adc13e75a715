import { useQuery } from '@tanstack/react-query'
import { DeskMenuItem } from '#support/web/registerMenu.tsx'
import { loginQuery } from '#web/api/login/loginQuery.ts'
import { ProfileMenu } from '#web/features/profile/ProfileMenu.tsx'

/** The profile menu, with the support desk for its agents. */
export function Profile() {
  const hasSupport = useQuery(loginQuery).data?.login?.support
  return <ProfileMenu>{hasSupport && <DeskMenuItem />}</ProfileMenu>
}
