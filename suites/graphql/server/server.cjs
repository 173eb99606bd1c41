// As in the documentation of graphql-http: a schema, behind its handler for node:http.
const { createServer } = require('node:http');
const {
  GraphQLID,
  GraphQLList,
  GraphQLObjectType,
  GraphQLSchema,
  GraphQLString,
} = require('graphql');
const { createHandler } = require('graphql-http/lib/use/http');

/** As a database would find them. */
const items = Array.from({ length: 100 }, (_, index) => ({
  id: index + 1,
  name: `Item ${index + 1}`,
  cents: 250 * (index + 1),
}));

/** Two fields are read from the item, and one is computed by a resolver of its own. */
const Item = new GraphQLObjectType({
  name: 'Item',
  fields: {
    id: { type: GraphQLID },
    name: { type: GraphQLString },
    price: { type: GraphQLString, resolve: ({ cents }) => (cents / 100).toFixed(2) },
  },
});
const Query = new GraphQLObjectType({
  name: 'Query',
  fields: { items: { type: new GraphQLList(Item), resolve: async () => items } },
});

createServer(createHandler({ schema: new GraphQLSchema({ query: Query }) })).listen(
  Number(process.env.PORT),
  process.env.HOST,
);
