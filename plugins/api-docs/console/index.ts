import type { ConsolePlugin } from '#console'

export default {
  menu: [
    {
      id: 'reference',
      label: 'menu',
      group: 'top',
      order: 45,
      access: 'public',
      link: () => `${location.origin}/docs`,
    },
  ],
} satisfies ConsolePlugin
