// Plain JavaScript: nothing is built. The names below lead to the console's own copies.
import { RemarkCell, RemarkPanel, RemarkSection } from './remarks.js'
import { HoursCard } from './hours-card.js'

const component = (drawn) => () => Promise.resolve({ default: drawn })

export default {
  // Columns and row actions of another's table.
  tables: [
    {
      id: 'users',
      columns: [{ id: 'remark', title: 'remark', access: 'admin', load: component(RemarkCell) }],
      rowActions: [
        { id: 'remark', label: 'show', access: 'admin', load: component(RemarkPanel) },
        // A link instead of a dialog; a row that gets none has no such action.
        {
          id: 'find',
          label: 'find',
          access: 'admin',
          link: ({ email }) =>
            email ? `https://people.example/?email=${encodeURIComponent(email)}` : undefined,
        },
      ],
    },
  ],
  // A section below the form of another's drawer.
  drawers: [
    {
      id: 'remark',
      drawer: 'user',
      title: 'remark',
      access: 'admin',
      // Ascending; the built-in sections leave gaps of ten.
      order: 95,
      load: component(RemarkSection),
    },
  ],
  // A card of the home page; without `access` visitors see it, too.
  home: [{ id: 'hours', order: 95, load: component(HoursCard) }],
  texts: {
    en: {
      remark: 'Remark',
      remarkOf: 'Remark about {name}',
      show: 'Show remark',
      find: 'Find in the address book',
      none: 'No remark yet',
      save: 'Save remark',
      saved: 'Remark saved.',
      hours: 'Acme',
      hoursText: 'We answer from Monday to Friday.',
    },
    zh: {
      remark: '备注',
      remarkOf: '{name} 的备注',
      show: '查看备注',
      find: '在通讯录中查找',
      none: '暂无备注',
      save: '保存备注',
      saved: '备注已保存。',
      hours: 'Acme',
      hoursText: '周一至周五提供支持。',
    },
  },
}
