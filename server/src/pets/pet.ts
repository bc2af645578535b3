/** A pet as every version of the interface knows it. */
export interface Pet {
  id: bigint;
  name: string;
  category: string;
  stock: bigint;
}

export const petColumns = ['id', 'name', 'category', 'stock'] as const;
