import { describe, expect, it } from 'vitest'
import { readPage } from './http.ts'

describe('the page that a list is asked for', () => {
  it.each([
    { query: {}, options: {}, page: 1, pageSize: 10 },
    { query: { p: '3', page_size: '20' }, options: {}, page: 3, pageSize: 20 },
    { query: { p: '0', page_size: '500' }, options: {}, page: 1, pageSize: 100 },
    { query: { p: '-1', page_size: '-5' }, options: {}, page: 1, pageSize: 10 },
    { query: { p: 'NaN', page_size: '' }, options: { firstPage: 0 }, page: 0, pageSize: 10 },
    { query: { p: '-1' }, options: { firstPage: 0 }, page: 0, pageSize: 10 },
    {
      query: { p: '1', page_size: '500' },
      options: { firstPage: 0, max: 1000 },
      page: 1,
      pageSize: 500,
    },
    {
      query: { p: '2', size: '7' },
      options: { firstPage: 0, sizeKey: 'size' },
      page: 2,
      pageSize: 7,
    },
    { query: { p: '9'.repeat(30) }, options: { firstPage: 0 }, page: 0, pageSize: 10 },
  ] as const)('is $page of $pageSize rows for $query', ({ query, options, page, pageSize }) => {
    expect(readPage(query, options)).toEqual({ page, pageSize })
  })
})
