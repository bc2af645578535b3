export const commonWords: ReadonlySet<string> = new Set(
  `
  password passwort passw pass word passwd pwd parola contrasena motdepasse senha wachtwoord haslo heslo
  secret secure security login logon signin signup admin administrator root user username guest default
  changeme change letmein let me in welcome hello hi hey goodbye please trustno access enter open sesame
  temp temporary test tester testing testtest sample example demo master mypass mypassword thepassword
  qwerty qwertz azerty qwert qwertyuiop asdf asdfg asdfgh asdfghjkl zxcv zxcvb zxcvbn zxcvbnm qaz wsx edc
  rfv tgb yhn ujm qazwsx qazwsxedc qweasd qweasdzxc asdasd qweqwe zaq xsw cde wasd poiuy poiuytrewq lkjhgfdsa
  mnbvcxz iop jkl bnm
  abc abcd abcde abcdef abcdefg abcdefgh abcdefghij xyz aaa
  love lovely lover loveme loveyou iloveyou ilove you iloveu youandme forever always baby babygirl babyboy
  honey sweet sweety sweetie sweetheart darling angel angels princess prince king queen kiss kisses hug sexy
  hotmail gmail yahoo google facebook twitter instagram youtube myspace linkedin amazon apple microsoft
  windows linux ubuntu android iphone ipad samsung nokia motorola sony playstation xbox nintendo internet
  computer laptop keyboard mouse network server website online database oracle cisco java python
  monkey dragon tiger lion bear wolf eagle falcon hawk dolphin dolphins shark snake spider horse horses dog
  dogs doggy puppy cat cats kitty kitten bunny rabbit chicken turtle panda butterfly elephant pet pets petstore
  store shop animal animals fish bird birds
  football soccer baseball basketball hockey tennis golf rugby cricket volleyball running runner swimming
  liverpool chelsea arsenal barcelona realmadrid madrid juventus manchester united milan everton celtic rangers
  yankees lakers cowboys steelers eagles packers broncos raiders redsox chicago boston dallas texas newyork
  london paris berlin roma italy france germany spain brazil canada america mexico india china japan russia
  england ireland scotland australia california florida hollywood
  superman batman spiderman ironman superstar starwars startrek pokemon pikachu naruto mario sonic zelda
  minecraft fortnite roblox warcraft matrix hunter killer ninja samurai pirate warrior knight wizard magic
  merlin gandalf hobbit harry potter harrypotter shadow phantom ghost vampire demon devil lucifer satan
  jesus christ jesuschrist god godisgood godisgreat heaven blessed blessing faith hope grace glory church
  michael jordan michelle jennifer jessica ashley amanda daniel david robert william james john thomas charlie
  charles andrew anthony joshua matthew christopher christian alexander alexandra benjamin samuel nicholas
  nathan justin brandon jackson jonathan richard george martin patrick steven peter paul mark maria marie
  sarah sara hannah rachel rebecca nicole natasha victoria elizabeth katherine catherine melissa stephanie
  samantha laura lauren emily emma sophie sophia olivia isabella isabelle charlotte andrea angela barbara
  patricia linda susan karen nancy sandra carlos jose juan antonio francisco fernando alejandro sebastian
  mohamed mohammed muhammad ahmed ali fatima mustafa ivan dmitry sergey natalia tatiana olga anna maggie
  bailey buddy max lucky rocky ginger pepper snoopy scooby garfield mickey minnie mouse disney tinkerbell
  summer winter spring autumn january february march april may june july august september october november
  december monday tuesday wednesday thursday friday saturday sunday today tomorrow yesterday morning night
  birthday christmas halloween easter holiday vacation party weekend
  red blue green yellow orange purple pink black white silver gold golden diamond crystal rainbow sunshine
  sunflower flower flowers rose roses lily daisy jasmine cherry apple banana strawberry lemon cookie cookies
  chocolate candy sugar coffee pizza cheese butter pumpkin peanut
  star stars moon sun sky ocean sea beach river mountain forest island fire water ice snow storm thunder
  lightning hurricane phoenix
  family mother father mom mommy mum dad daddy papa mama sister brother son daughter wife husband boy girl
  boys girls man woman friend friends bestfriend together
  money cash dollar million rich lucky winner champion champ number one first best good great awesome cool
  nice super mega ultra extreme power force energy freedom peace happy smile laugh dream dreams dreamer
  music guitar piano drummer rock rocknroll metal metallica nirvana slipknot eminem tupac beatles michaeljackson
  mustang corvette ferrari porsche mercedes toyota honda yamaha suzuki harley camaro chevy ford bmw audi
  fuck fucker fuckyou fuckoff asshole bitch shit bullshit whatever nothing something anything nobody somebody
  everything noone blah blahblah foo bar foobar baz lorem ipsum
  trust my your the this that is it in on at to for with from and or not no yes ok a i am u me we our new old
  big little one two three four five six seven eight nine ten zero hundred thousand
  school college university student teacher work office company business manager boss service support
  `
    .trim()
    .split(/\s+/),
);
