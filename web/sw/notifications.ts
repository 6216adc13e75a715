interface Shown {
  title: string
  options: NotificationOptions & { renotify?: boolean }
}

/**
 * Returns the notification for a push message in the declarative format, or one without content for any other message:
 * browsers withdraw the permission from a site that receives messages without showing them. Safari shows declarative
 * messages without this worker.
 */
export function notificationOf(text: string | undefined): Shown {
  const { title, navigate, ...options } = parse(text)
  return {
    title: typeof title === 'string' ? title : 'Pitboard',
    options: { ...options, icon: '/icon-192.png', badge: '/icon-192.png', data: pathOf(navigate) },
  }
}

function parse(text: string | undefined): Record<string, unknown> {
  try {
    const { web_push, notification } = JSON.parse(text ?? '')
    return web_push === 8030 && typeof notification === 'object' ? { ...notification } : {}
  } catch {
    return {}
  }
}

/** Returns the path of a URL, so that a notification opens only pages of this app; `/teams` for any other text. */
function pathOf(navigate: unknown): string {
  return /^https?:\/\/[^/]+((\/[\w-]+)+)$/.exec(String(navigate))?.[1] ?? '/teams'
}
